import { chipsThatFit, chipLineCount } from './chip-room.js';

describe('the room for chips', () => {
  it.each([
    [[], 0],
    [[100], 1],
    [[48, 48], 1],
    [[49, 48], 2],
    [[30, 30, 30, 90], 2],
    [[300, 10, 300], 3],
  ])('is used by chips of %j pixels in %d lines of 100', (widths, lines) => {
    expect(chipLineCount(widths, 100)).toBe(lines);
  });

  it.each([
    [[48, 48, 48, 48], 4],
    [[48, 48, 48, 48, 48], 3],
    [[90, 90, 90], 1],
    [[300, 300, 300], 1],
    [[], 0],
  ])('fits of chips of %j pixels the first %d into two lines, with one for the others', (widths, count) => {
    expect(chipsThatFit(widths, { more: 40, room: 100, lines: 2 })).toBe(count);
  });
});
