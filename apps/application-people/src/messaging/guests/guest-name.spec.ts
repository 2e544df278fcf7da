import { guestName } from './guest-name.js';

describe('the name of a guest', () => {
  it.each([
    ['Ann', 'Ann (guest)'],
    ['  Ann \n  Example ', 'Ann Example (guest)'],
    ['Carol Cooper', 'Carol Cooper (guest)'],
    ['Ann (guest)', 'Ann (guest)'],
    ['Ann (Guest) (guest)', 'Ann (guest)'],
    ['\u202Elorac\u200B', 'lorac (guest)'],
    ['Zoë 🎈', 'Zoë 🎈 (guest)'],
    ['x'.repeat(250), `${'x'.repeat(60)} (guest)`],
    ['', 'Guest'],
    ['\u200B (guest)', 'Guest'],
    [undefined, 'Guest'],
  ])('%j is shown as %j', (wanted, shown) => {
    expect(guestName(wanted)).toBe(shown);
  });
});
