// Changes names of files: each word of the command line that is "unlink", "rmdir", "rename", "symlink" or "link" is done to
// the words that follow it. What fails is left out.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    char **word = argv + i;
    if (!strcmp(*word, "unlink"))
      unlink(word[1]);
    if (!strcmp(*word, "rmdir"))
      rmdir(word[1]);
    if (!strcmp(*word, "rename"))
      rename(word[1], word[2]);
    if (!strcmp(*word, "symlink"))
      symlink(word[1], word[2]);
    if (!strcmp(*word, "link"))
      link(word[1], word[2]);
    if (!strcmp(*word, "read") || !strcmp(*word, "write")) {
      FILE *file = fopen(word[1], **word == 'r' ? "r" : "w");
      char text[100] = "nothing";
      if (file && **word == 'r')
        fgets(text, sizeof text, file);
      if (file && **word == 'w')
        fputs("written\n", file);
      if (file)
        fclose(file);
      if (**word == 'r')
        puts(text);
    }
  }
  return 0;
}
