-- Conway's game of life on a torus: lua life.lua [GENERATIONS] prints the first and the last one. It begins with an acorn.
local width, height = 60, 20
local generations = tonumber(arg[1]) or 20

local function empty()
  local field = {}
  for y = 1, height do field[y] = {} end
  return field
end

local function neighbours(field, x, y)
  local count = 0
  for dy = -1, 1 do
    local row = field[(y + dy - 1) % height + 1]
    for dx = -1, 1 do
      if (dx ~= 0 or dy ~= 0) and row[(x + dx - 1) % width + 1] then count = count + 1 end
    end
  end
  return count
end

local function step(field)
  local next = empty()
  for y = 1, height do
    for x = 1, width do
      local count = neighbours(field, x, y)
      next[y][x] = count == 3 or (count == 2 and field[y][x]) or nil
    end
  end
  return next
end

local function show(field, title)
  local living, lines = 0, {}
  for y = 1, height do
    local line = {}
    for x = 1, width do
      line[x] = field[y][x] and "#" or "."
      if field[y][x] then living = living + 1 end
    end
    lines[y] = table.concat(line)
  end
  print(string.format("%s: %d cells live", title, living))
  print(table.concat(lines, "\n"))
end

local field = empty()
for y, row in ipairs { ".#.....", "...#...", "##..###" } do
  for x = 1, #row do
    if row:sub(x, x) == "#" then field[8 + y][25 + x] = true end
  end
end
show(field, "generation 0")
for _ = 1, generations do field = step(field) end
show(field, "generation " .. generations)
