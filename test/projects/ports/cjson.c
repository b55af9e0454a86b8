#include <cjson/cJSON.h>
#include <cjson/cJSON_Utils.h>
#include <stdio.h>
int main(void) {
  cJSON *value = cJSON_Parse("{\"b\": [1, 2.5, null], \"a\": \"text\"}"), *patch = cJSON_Parse("[{\"op\":\"replace\",\"path\":\"/b/1\",\"value\":true}]");
  int status = cJSONUtils_ApplyPatches(value, patch);
  printf("%s %d %s\n", cJSON_Version(), status, cJSON_Print(value));
  return 0;
}
