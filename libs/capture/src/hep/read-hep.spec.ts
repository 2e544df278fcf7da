import * as fc from 'fast-check';
import { deflateSync, gzipSync } from 'node:zlib';
import { addressBytes, chunk, packet, u16, u32, writeHep } from '../../test/write-hep.js';
import { HepError } from './hep-error.js';
import { readHep } from './read-hep.js';

const caller = { ip: '192.0.2.10', port: 5062 };
const proxy = { ip: '192.0.2.1', port: 5060 };

/** Version 2 with the time in either byte order. */
function earlier(version: number, time: Buffer, family = 2, length = 16): Buffer {
  return Buffer.concat([
    Buffer.from([version, length, family, 17]),
    u16(caller.port),
    u16(proxy.port),
    addressBytes(caller.ip),
    addressBytes(proxy.ip),
    time,
    Buffer.from('INVITE'),
  ]);
}

function hepProblem(bytes: Buffer, password?: string): string {
  try {
    readHep(bytes, password === undefined ? {} : { password });
    return 'none';
  } catch (error) {
    if (error instanceof HepError) return error.problem;
    throw error;
  }
}

const addresses = [chunk(3, addressBytes(caller.ip)), chunk(4, addressBytes(proxy.ip))];
const ports = [chunk(7, u16(caller.port)), chunk(8, u16(proxy.port))];
const payload = chunk(15, Buffer.from('INVITE'));

describe('HEP version 3', () => {
  it('returns addresses, time and payload', () => {
    const bytes = writeHep({ source: caller, destination: proxy, at: 1_760_000_000_123.456, payload: 'INVITE' });
    expect(readHep(bytes)).toEqual({
      source: caller,
      destination: proxy,
      capturedAt: 1_760_000_000_123.456,
      agent: 2_001,
      content: 'sip',
      isFromAgent: true,
      payload: Buffer.from('INVITE'),
    });
  });

  it.each([
    ['2001:db8::7', '2001:db8::7'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['0:0:0:0:0:ffff:c000:20a', '192.0.2.10'],
  ])('reads the address %s as %s', (ip, text) => {
    const bytes = writeHep({ source: { ip, port: 1 }, destination: { ip, port: 2 }, payload: 'x' });
    expect(readHep(bytes).source).toEqual({ ip: text, port: 1 });
  });

  it('returns the correlation id of RTCP', () => {
    const bytes = writeHep({ type: 5, correlationId: 'call-1', payload: '{}' });
    expect(readHep(bytes)).toMatchObject({ content: 'rtcp', correlationId: 'call-1' });
  });

  it.each([gzipSync('INVITE'), deflateSync('INVITE')])('decompresses a payload', (compressed) => {
    const bytes = packet([...addresses, ...ports, chunk(16, compressed)]);
    expect(readHep(bytes).payload.toString()).toBe('INVITE');
  });

  it('skips chunks of other vendors and of unknown types', () => {
    const bytes = packet([...addresses, ...ports, chunk(7, u32(9), 0x1234), chunk(999, u32(1)), payload]);
    expect(readHep(bytes)).toMatchObject({ source: caller, content: 'other' });
    expect(readHep(bytes)).not.toHaveProperty('capturedAt');
  });

  it.each<[string, readonly Buffer[], object, object]>([
    ['without addresses', ports, { ip: '0.0.0.0', port: 5062 }, { ip: '0.0.0.0', port: 5060 }],
    ['without ports', addresses, { ip: caller.ip, port: 0 }, { ip: proxy.ip, port: 0 }],
    [
      'without a destination',
      [...addresses, ...ports].filter((_, n) => n % 2 === 0),
      caller,
      { ip: '0.0.0.0', port: 0 },
    ],
    ['without a source', [...addresses, ...ports].filter((_, n) => n % 2 === 1), { ip: '0.0.0.0', port: 0 }, proxy],
    ['without any', [], { ip: '0.0.0.0', port: 0 }, { ip: '0.0.0.0', port: 0 }],
  ])('is read %s', (_what, chunks, source, destination) => {
    const bytes = packet([...chunks, chunk(11, Buffer.from([1])), payload]);
    expect(readHep(bytes)).toMatchObject({ source, destination, content: 'sip', payload: Buffer.from('INVITE') });
  });

  it('is SIP if the kind of content is not named and a SIP message begins', () => {
    const bytes = packet([...addresses, ...ports, chunk(15, Buffer.from('OPTIONS sip:a SIP/2.0\r\n\r\n'))]);
    expect(readHep(bytes)).toMatchObject({ content: 'sip' });
  });

  it('accepts only packets with the password if one is set', () => {
    expect(hepProblem(writeHep({ password: 'secret', payload: 'x' }), 'secret')).toBe('none');
    expect(hepProblem(writeHep({ password: 'secret', payload: 'x' }))).toBe('none');
    expect(hepProblem(writeHep({ password: 'sesame', payload: 'x' }), 'secret')).toBe('password');
    expect(hepProblem(writeHep({ payload: 'x' }), 'secret')).toBe('password');
    expect(hepProblem(earlier(1, Buffer.alloc(0)), 'secret')).toBe('password');
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'not-hep'],
    ['something else', Buffer.from('OPTIONS sip:a SIP/2.0'), 'not-hep'],
    ['the mark alone', Buffer.from('HEP3'), 'length'],
    ['a wrong length in the header', Buffer.concat([writeHep({ payload: 'x' }), Buffer.from('y')]), 'length'],
    ['half a chunk header', packet([Buffer.from([0, 0, 0])]), 'chunk'],
    ['a chunk that is longer than the packet', packet([Buffer.from([0, 0, 0, 15, 0, 200])]), 'chunk'],
    ['a chunk that is shorter than its header', packet([Buffer.from([0, 0, 0, 15, 0, 5])]), 'chunk'],
    ['a port of four bytes', packet([...addresses, chunk(7, u32(5_060)), payload]), 'chunk'],
    ['no payload', packet([...addresses, ...ports]), 'no-payload'],
    [
      'a payload that cannot be decompressed',
      packet([...addresses, ...ports, chunk(16, Buffer.from('zz'))]),
      'compression',
    ],
    [
      'a decompression bomb',
      packet([...addresses, ...ports, chunk(16, gzipSync(Buffer.alloc(20_000_000)))]),
      'compression',
    ],
  ])('rejects %s', (_what, bytes, problem) => {
    expect(hepProblem(bytes)).toBe(problem);
  });
});

describe('HEP versions 1 and 2', () => {
  it.each([
    ['little-endian order', [0x00, 0x68, 0xe7, 0x68, 0x40, 0xe2, 0x01, 0x00]],
    ['big-endian order', [0x68, 0xe7, 0x68, 0x00, 0x00, 0x01, 0xe2, 0x40]],
  ])('reads the time in %s', (_order, time) => {
    const bytes = earlier(2, Buffer.from([...time, 0x01, 0x00, 0x00, 0x00]));
    expect(readHep(bytes)).toEqual({
      source: caller,
      destination: proxy,
      capturedAt: 1_759_995_904_123.456,
      content: 'sip',
      isFromAgent: true,
      payload: Buffer.from('INVITE'),
    });
  });

  it('returns no time for version 1', () => {
    expect(readHep(earlier(1, Buffer.alloc(0)))).toEqual({
      source: caller,
      destination: proxy,
      content: 'sip',
      isFromAgent: true,
      payload: Buffer.from('INVITE'),
    });
  });

  it.each([
    ['an unknown address family', earlier(1, Buffer.alloc(0), 7), 'address'],
    ['an impossible header', earlier(1, Buffer.alloc(0), 2, 15), 'length'],
    ['no payload', earlier(2, Buffer.alloc(0)).subarray(0, 20), 'no-payload'],
    ['its first byte alone', Buffer.from([2]), 'address'],
  ])('rejects %s', (_what, bytes, problem) => {
    expect(hepProblem(bytes)).toBe(problem);
  });
});

describe('readHep for any bytes', () => {
  const valid = writeHep({ source: caller, destination: proxy, correlationId: 'c', payload: 'BYE sip:a SIP/2.0' });

  it('returns a packet or throws a HepError', () => {
    const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    const marked = noise.map((bytes) => packet([bytes]));
    const old = noise.map((bytes) => Buffer.concat([Buffer.from([2, 16, 2, 17]), bytes]));
    const problems = fc.property(fc.oneof(noise, marked, old), (bytes) => hepProblem(bytes) !== '');
    expect(() => fc.assert(problems)).not.toThrow();
  });

  it('rejects a truncated packet', () => {
    const lengths = fc.integer({ min: 0, max: valid.length - 1 });
    fc.assert(fc.property(lengths, (length) => expect(hepProblem(valid.subarray(0, length))).not.toBe('none')));
  });

  it('never returns a payload longer than the packet', () => {
    const mutation = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(mutation, (changes) => {
        const bytes = Buffer.from(valid);
        for (const [at, value] of changes) bytes[at] = value;
        const held = hepProblem(bytes) === 'none' ? readHep(bytes).payload.length : 0;
        expect(held).toBeLessThan(valid.length);
      }),
    );
  });
});
