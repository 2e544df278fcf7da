/** Under `.invalid`, which no one can own (RFC 2606): a guest's name can never be the name of a user in a directory. */
export const GUEST_DOMAIN = 'anonymous.invalid';

/** As others see a guest who has given no name. */
export const UNNAMED_GUEST = 'Guest';

/** With {@link GUEST_DOMAIN}. */
const GUEST_ADDRESS = /^(sip:)?[0-9a-f-]{36}@anonymous\.invalid$/i;

/** Whether the token service may have generated this address, for a guest of a meeting. */
export function isGuestAddress(address: string): boolean {
  return GUEST_ADDRESS.test(address);
}
