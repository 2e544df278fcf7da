import { isGuestAddress } from './guest-address.js';

describe('the address of a guest', () => {
  it.each([
    ['0f2d7f60-6f0b-4d3c-9b0a-1c7a2a7a9a11@anonymous.invalid', true],
    ['SIP:0F2D7F60-6F0B-4D3C-9B0A-1C7A2A7A9A11@Anonymous.Invalid', true],
    ['alice@example.test', false],
    ['alice@anonymous.invalid', false],
    ['0f2d7f60-6f0b-4d3c-9b0a-1c7a2a7a9a11@anonymous.invalid.example.test', false],
    ['0f2d7f60-6f0b-4d3c-9b0a-1c7a2a7a9a11@anonymousxinvalid', false],
    ['', false],
  ])('%s: %s', (address, expected) => {
    expect(isGuestAddress(address)).toBe(expected);
  });
});
