import { peerState } from './failing-peers.js';

describe('the state of a peer whose requests fail', () => {
  it.each([
    ['failing', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]],
    ['failing', [9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]],
    ['failing', [0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0]],
    ['failing', [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]],
    ['flapping', [3, 0, 3, 0, 0, 3, 0, 0, 0, 0, 0, 0]],
    ['flapping', [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]],
    ['over', [7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['over', [7, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0]],
  ])('is %s with %j in five minutes each', (state, slots) => {
    expect(peerState(slots)).toBe(state);
  });
});
