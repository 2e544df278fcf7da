import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A key that authenticates a NATS client: the client signs a nonce of the server, and sends no secret. */
export interface NatsKey {
  /** For the client alone; begins with SU. */
  readonly seed: string;
  /** For the server; begins with U. */
  readonly publicKey: string;
}

/** The prefix of the 32 bytes of a user's seed or public key. */
const SEED_PREFIX = [0x95, 0x00];
const PUBLIC_PREFIX = [0xa0];
const KEY_BYTES = 32;
/** An Ed25519 key in PKCS 8 consists of this prefix and its 32 bytes. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export function makeNatsKey(): NatsKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  return {
    seed: encoded(SEED_PREFIX, Buffer.from(d, 'base64url')),
    publicKey: encoded(PUBLIC_PREFIX, Buffer.from(x, 'base64url')),
  };
}

/** The reply of a client to the `nonce` of a server. */
export function signNonce(seed: string, nonce: string): string {
  return sign(null, Buffer.from(nonce), privateKeyOf(seed)).toString('base64url');
}

/** The public key that belongs to a seed. */
export function publicKeyOf(seed: string): string {
  const { x = '' } = createPublicKey(privateKeyOf(seed)).export({ format: 'jwk' });
  return encoded(PUBLIC_PREFIX, Buffer.from(x, 'base64url'));
}

function privateKeyOf(seed: string): KeyObject {
  const raw = base32Decode(seed).subarray(SEED_PREFIX.length, SEED_PREFIX.length + KEY_BYTES);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, raw]), format: 'der', type: 'pkcs8' });
}

function encoded(prefix: readonly number[], key: Buffer): string {
  const payload = Buffer.from([...prefix, ...key]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc16(payload));
  return base32(Buffer.concat([payload, sum]));
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function base32(bytes: Buffer): string {
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET.charAt((value >>> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + ALPHABET.charAt((value << (5 - bits)) & 31);
}

function base32Decode(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text) {
    value = ((value << 5) | ALPHABET.indexOf(letter)) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 255);
  }
  return Buffer.from(bytes);
}

/** CRC-16/XMODEM. */
function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
