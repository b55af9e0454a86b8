// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A game by alpha-beta search: reversi on 8 x 8, mobility and corners, moves in a fixed order. A unit is the choice of a
   move, 4 deep. */
#include "../workloads/workload.h"
#include <string.h>

struct board {
  signed char at[100]; /* 10 x 10: 0 empty, 1 and -1 the players, 2 the border */
};

static const int directions[8] = {-11, -10, -9, -1, 1, 9, 10, 11};

static int flips(const struct board *b, int player, int square, int direction) {
  int count = 0, place = square + direction;
  while (b->at[place] == -player) {
    place += direction;
    count++;
  }
  return b->at[place] == player ? count : 0;
}

static int is_move(const struct board *b, int player, int square) {
  if (b->at[square])
    return 0;
  for (int d = 0; d < 8; d++)
    if (flips(b, player, square, directions[d]))
      return 1;
  return 0;
}

static void play(struct board *b, int player, int square) {
  for (int d = 0; d < 8; d++)
    for (int n = flips(b, player, square, directions[d]); n > 0; n--)
      b->at[square + n * directions[d]] = (signed char)player;
  b->at[square] = (signed char)player;
}

static int moves(const struct board *b, int player, int *list) {
  int count = 0;
  for (int square = 11; square < 89; square++)
    if (is_move(b, player, square))
      list[count++] = square;
  return count;
}

static int value(const struct board *b, int player) {
  static const unsigned char corners[4] = {11, 18, 81, 88};
  int list[64], score = 3 * (moves(b, player, list) - moves(b, -player, list));
  for (int i = 0; i < 4; i++)
    score += 25 * player * b->at[corners[i]];
  for (int square = 11; square < 89; square++)
    if (b->at[square] != 2)
      score += player * b->at[square];
  return score;
}

static int search(const struct board *b, int player, int depth, int alpha, int beta) {
  int list[64];
  if (depth == 0)
    return value(b, player);
  int count = moves(b, player, list);
  if (count == 0)
    return moves(b, -player, list) ? -search(b, -player, depth - 1, -beta, -alpha) : value(b, player) * 100;
  for (int i = 0; i < count; i++) {
    struct board next = *b;
    play(&next, player, list[i]);
    int score = -search(&next, -player, depth - 1, -beta, -alpha);
    if (score > alpha)
      alpha = score;
    if (alpha >= beta)
      break;
  }
  return alpha;
}

static void begin(struct board *b) {
  for (int i = 0; i < 100; i++)
    b->at[i] = i / 10 % 9 == 0 || i % 10 % 9 == 0 ? 2 : 0;
  b->at[44] = b->at[55] = 1;
  b->at[45] = b->at[54] = -1;
}

static uint32_t work(uint32_t seed, unsigned units) {
  struct board b;
  uint32_t sum = 0;
  int player = 1, list[64];
  begin(&b);
  for (unsigned unit = 0; unit < units; unit++, player = -player) {
    int count = moves(&b, player, list), best = -1 << 20, chosen = 0;
    if (count == 0 && moves(&b, -player, list) == 0)
      begin(&b);
    for (int i = 0; i < count; i++) {
      struct board next = b;
      play(&next, player, list[i]);
      seed = seed * 1664525u + 1013904223u;
      int score = -search(&next, -player, 3, -1 << 20, -best) * 16 + (int)(seed >> 28);
      if (score > best * 16) {
        best = score / 16;
        chosen = list[i];
      }
    }
    if (chosen)
      play(&b, player, chosen);
    sum = sum * 31 + (uint32_t)(chosen * 1000 + best);
  }
  return sum;
}
