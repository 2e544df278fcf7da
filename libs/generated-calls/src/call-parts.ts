import type { SeededRandom } from './seeded-random.js';

export const DOMAIN = 'example.test';

/** `fe01.example.test` is the first. */
export function frontEndName(index: number): string {
  return `fe${String(index + 1).padStart(2, '0')}.${DOMAIN}`;
}

/** The device that a user is signed in with. */
export function deviceId(index: number): string {
  return `5e1f${index.toString(16).padStart(4, '0')}`;
}

export interface CallEnd {
  /** The tag that the device chose for this call. */
  readonly tag: string;
  /** Of its audio; that of video is two further. */
  readonly port: number;
}

export function callEnd(random: SeededRandom): CallEnd {
  return { tag: random.hex(10), port: 20_000 + 4 * random.whole(0, 4_000) };
}

export function conversationId(random: SeededRandom): string {
  return Buffer.from(random.hex(32), 'hex').toString('base64');
}
