/* Compresses the standard input with the host's zstd, from the device:

       gpuexec --service lib/gpuexec/services/libgpuexec-zstd.so pack < FILE > FILE.zst
       gpuexec --service lib/gpuexec/services/libgpuexec-zstd.so pack -d < FILE.zst > FILE

   A service lets a device program use a library of the host that is not ported to it. */
#include <gpuexec/client.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPRESS = 0x55002d00, DECOMPRESS };

/* Sends `size` bytes, gets back what the service made of them (to be freed), or null. */
static char *call(unsigned opcode, uint64_t argument, const char *data, size_t size, uint64_t *result_size) {
  rpc_port port = rpc_open(opcode);
  rpc_send_begin(&port)->words[0] = argument;
  rpc_send_end(&port);
  rpc_send_n(&port, data, size);
  char *result = rpc_recv_n_allocate(&port, result_size, malloc);
  uint64_t error = rpc_recv(&port)->words[0];
  rpc_close(&port);
  if (!error && result)
    return result;
  fprintf(stderr, "pack: %s\n", strerror(error ? (int)error : 12));
  free(result);
  return NULL;
}

int main(int argc, char **argv) {
  int unpack = argc > 1 && !strcmp(argv[1], "-d");
  size_t size = 0, room = 1 << 16;
  char *data = malloc(room);
  while (data) {
    size += fread(data + size, 1, room - size, stdin);
    if (size < room)
      break;
    data = realloc(data, room *= 2);
  }
  if (!data)
    return 1;
  uint64_t result_size = 0;
  char *result = call(unpack ? DECOMPRESS : COMPRESS, unpack ? (uint64_t)1 << 30 : 3, data, size, &result_size);
  free(data);
  if (!result)
    return 1;
  int bad = fwrite(result, 1, result_size, stdout) != result_size;
  free(result);
  return bad || fflush(stdout);
}
