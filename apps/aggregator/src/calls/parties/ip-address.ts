import { isIP } from 'node:net';

/** An address as a number: 32 bits, or 128 for IPv6. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** Without a zone; an IPv4 address written as IPv6 becomes IPv4. */
  readonly text: string;
}

/** All addresses that begin with the first `length` bits. */
export interface Subnet {
  readonly address: IpAddress;
  readonly length: number;
}

/** Recently parsed addresses: every record of a call, and every call of an office, contains the same few. */
const lately = new Map<string, IpAddress | undefined>();
const LATELY_LIMIT = 10_000;
/** The longest address with a zone; a longer text is not an address. */
const LONGEST = 64;

/** Undefined for a text that is not an address: senders write anything. */
export function ipAddress(written: string): IpAddress | undefined {
  if (written.length > LONGEST) return undefined;
  if (!lately.has(written)) {
    if (lately.size >= LATELY_LIMIT) lately.clear();
    lately.set(written, readAddress(written));
  }
  return lately.get(written);
}

function readAddress(written: string): IpAddress | undefined {
  const text = written.trim().replace(/%.*$/s, '').toLowerCase();
  const family = isIP(text);
  if (family === 4) return { family, value: bitsOf(text.split('.').map(Number), 8), text };
  if (family !== 6) return undefined;
  const value = bitsOf(ipv6Groups(text), 16);
  if (value >> 32n !== MAPPED) return { family, value, text };
  const bytes = [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn);
  return { family: 4, value: value & 0xffff_ffffn, text: bytes.join('.') };
}

/** `10.1.0.0/16`, or a single address. Undefined for anything else. */
export function subnet(written: string): Subnet | undefined {
  const [text = '', length, ...more] = written.trim().split('/');
  const address = ipAddress(text);
  if (address === undefined || more.length > 0) return undefined;
  const bits = addressBitCount(address);
  if (length === undefined) return { address, length: bits };
  // The prefix length of a mapped address includes the 96 bits before it.
  const own = /^\d{1,3}$/.test(length) ? Number(length) - (text.includes(':') ? 128 - bits : 0) : -1;
  return own >= 0 && own <= bits ? { address, length: own } : undefined;
}

/** The same text for all addresses of one subnet of this length. */
export function subnetKey({ address, length }: Subnet): string {
  const first = address.value >> BigInt(addressBitCount(address) - length);
  return `${address.family}-${first.toString(16)}/${length}`;
}

/** Whether all addresses of `inner` are in `outer` as well. */
export function isWithin(inner: Subnet, outer: Subnet): boolean {
  if (inner.address.family !== outer.address.family || inner.length < outer.length) return false;
  return subnetKey({ ...inner, length: outer.length }) === subnetKey(outer);
}

export function addressBitCount({ family }: IpAddress): 32 | 128 {
  return family === 4 ? 32 : 128;
}

const MAPPED = 0xffffn;

/** The eight numbers of an IPv6 address. */
function ipv6Groups(text: string): readonly number[] {
  const [head = '', tail] = text.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, dotted).split('::');
  const [before, after] = [numbersOf(head), numbersOf(tail ?? '')];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function numbersOf(groups: string): readonly number[] {
  return groups === '' ? [] : groups.split(':').map((group) => parseInt(group, 16));
}

function dotted(_all: string, ...bytes: readonly string[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function bitsOf(groups: readonly number[], width: number): bigint {
  return groups.reduce((value, group) => (value << BigInt(width)) | BigInt(group), 0n);
}
