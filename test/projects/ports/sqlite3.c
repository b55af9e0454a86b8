#include <sqlite3.h>
#include <stdio.h>
static int print(void *unused, int columns, char **values, char **names) {
  for (int i = 0; i < columns; i++)
    printf("%s=%s%c", names[i], values[i] ? values[i] : "NULL", i + 1 < columns ? ' ' : '\n');
  return 0;
}
int main(void) {
  sqlite3 *database;
  char *error = NULL;
  int status = sqlite3_open(":memory:", &database);
  status |= sqlite3_exec(database,
                         "create table t(n integer, word text); insert into t values(1, 'one'), (2, 'two'), (3, NULL);"
                         "select count(*) as rows, sum(n) as total, group_concat(word) as words from t; select sqlite_version() as version;",
                         print, NULL, &error);
  printf("%d", status);
  printf(" %d", sqlite3_exec(database, "select * from nosuch", print, NULL, &error));
  printf(" %s\n", error);
  return 0;
}
