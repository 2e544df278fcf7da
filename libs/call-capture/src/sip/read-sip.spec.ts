import * as fc from 'fast-check';
import { request, response, sdp } from '../../test/sip-messages.js';
import { bodyPart } from './body-part.js';
import { addressOfRecord, readNameAddress } from './name-address.js';
import { isKeepAlive } from './message-length.js';
import { readSip } from './read-sip.js';
import { SipSyntaxError } from './sip-syntax-error.js';

function callIdOrError(bytes: Buffer): string {
  try {
    return readSip(bytes).callId;
  } catch (error) {
    if (error instanceof SipSyntaxError) return error.message;
    throw error;
  }
}

describe('readSip', () => {
  it('reads a request', () => {
    const message = readSip(request('INVITE', { headers: ['User-Agent: phone'], body: sdp('192.0.2.10', 4_000) }));
    expect(message).toMatchObject({
      method: 'INVITE',
      callId: 'call-1',
      cseq: 1,
      from: { uri: 'sip:alice@example.test', tag: 'a1' },
      to: { uri: 'sip:bob@example.test' },
      branch: 'z9hG4bK-1',
      body: sdp('192.0.2.10', 4_000),
    });
    expect(message.headers.all('user-agent')).toEqual(['phone']);
    expect(message).not.toHaveProperty('response');
  });

  it.each([
    ['486 Busy Here', { status: 486, phrase: 'Busy Here' }],
    ['200', { status: 200, phrase: '' }],
  ])('reads a response: %s', (status, expected) => {
    expect(readSip(response(status, 'INVITE'))).toMatchObject({ method: 'INVITE', response: expected });
  });

  it('reads short names, folded lines, repeated headers and leading blank lines', () => {
    const text = [
      '\r\nBYE sip:b SIP/2.0',
      'v: SIP/2.0/UDP a;branch=1',
      'v: SIP/2.0/UDP b;branch=2',
      'f: "A <1>"',
      ' <sip:a@x>;tag=1',
      't : <sip:b@x>;tag=2',
      'i: c',
      'CSeq:\t2 BYE',
      '',
      '',
    ];
    const message = readSip(Buffer.from(text.join('\r\n')));
    expect(message).toMatchObject({ callId: 'c', from: { uri: 'sip:a@x', tag: '1' }, to: { tag: '2' }, body: '' });
    expect(message.branch).toBe('1');
  });

  it.each([
    ['SIP/2.0/UDP a;rport=5060;received=192.0.2.7;branch=z9 , SIP/2.0/UDP b;branch=y', 'z9'],
    ['SIP/2.0/UDP a:5060;x=y, SIP/2.0/UDP b;branch=y', 'SIP/2.0/UDP a:5060'],
  ])('returns the branch of the topmost Via: %s', (via, branch) => {
    const text = request('BYE')
      .toString()
      .replace(/^Via: .*$/m, `Via: ${via}`);
    expect(readSip(Buffer.from(text)).branch).toBe(branch);
  });

  it('returns no body if it is truncated', () => {
    const whole = request('INVITE', { body: sdp('192.0.2.10', 4_000) });
    expect(readSip(whole.subarray(0, -3)).body).toBe('');
    expect(readSip(Buffer.concat([whole, Buffer.from('BYE sip:x SIP/2.0')])).body).toBe(sdp('192.0.2.10', 4_000));
  });

  it.each([
    ['nothing', ''],
    ['another protocol', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a first line alone', 'INVITE sip:b SIP/2.0'],
    ['no Call-ID', request('BYE').toString().replace('Call-ID', 'X')],
    ['an endless Call-ID', request('BYE', { callId: 'x'.repeat(513) }).toString()],
    ['an invalid CSeq', request('BYE').toString().replace('1 BYE', 'BYE 1')],
    ['a CSeq of another method', request('BYE').toString().replace('1 BYE', '1 INVITE')],
    ['an invalid status', response('700 Odd', 'BYE').toString()],
    ['headers that are too long', request('BYE', { headers: [`X: ${'x'.repeat(40_000)}`] }).toString()],
    ['too many lines', request('BYE', { headers: Array.from({ length: 600 }, () => 'X: x') }).toString()],
  ])('rejects %s', (_what, text) => {
    expect(() => readSip(Buffer.from(text))).toThrow(SipSyntaxError);
  });

  it('returns a message or throws a SipSyntaxError for any bytes', () => {
    const valid = request('INVITE', { body: sdp('192.0.2.10', 4_000) });
    const cut = fc.nat(valid.length).map((length) => valid.subarray(0, length));
    const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.concat([Buffer.from('SIP/2.0 '), bytes]));
    const mutated = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { maxLength: 8 }).map((changes) => {
      const bytes = Buffer.from(valid);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(cut, noise, mutated), (bytes) => {
        expect(callIdOrError(bytes)).not.toBe('');
      }),
    );
  });

  it.each(['', '\r\n', '\r\n\r\n', '\0\0\0\0'])('is not used for a keep-alive: %j', (text) => {
    expect(isKeepAlive(Buffer.from(text))).toBe(true);
  });
});

describe('a name and address', () => {
  it.each([
    ['<sip:a@x;lr>;tag=1', { uri: 'sip:a@x;lr', tag: '1' }],
    ['sip:a@x;tag=1', { uri: 'sip:a@x', tag: '1' }],
    ['"a \\" <b>" <tel:+1425>;x=y ; TAG = 7', { uri: 'tel:+1425', tag: '7' }],
    ['sip:a@x', { uri: 'sip:a@x' }],
  ])('is read from %s', (text, expected) => {
    expect(readNameAddress(text)).toEqual(expected);
  });

  it.each([
    ['"Alice <sip:alice@x>;tag=1', { uri: 'sip:alice@x', tag: '1' }],
    ['<sip:alice@x;tag=1', { uri: 'sip:alice@x', tag: '1' }],
    ['Alice sip:alice@x ; tag = 1', { uri: 'sip:alice@x', tag: '1' }],
    ['"x" sips:alice@x;transport=tcp', { uri: 'sips:alice@x;transport=tcp' }],
    ['alice@x;tag=1', { uri: 'sip:alice@x', tag: '1' }],
    ['"Alice" <alice@x>;tag=1', { uri: 'sip:alice@x', tag: '1' }],
    ['<>;tag=1', { uri: '', tag: '1' }],
    ['anonymous;tag=1', { uri: '', tag: '1' }],
  ])('that is damaged is read as far as possible: %s', (text, expected) => {
    expect(readSip(request('BYE', { from: text })).from).toEqual(expected);
  });

  it.each(['', 'alice', '<>', '<sip:a@x', '"<sip:a@x>"'])('is not read from %j', (text) => {
    expect(readNameAddress(text)).toBeUndefined();
  });

  it.each([
    ['sip:alice:secret@Example.TEST:5060;transport=tcp?x=y', 'sip:alice@example.test:5060'],
    ['sips:alice@example.test', 'sip:alice@example.test'],
    ['sip:+1425;phone-context=x@gw.test;user=phone', 'sip:+1425@gw.test'],
    ['sip:alice@[2001:DB8::1]:5060', 'sip:alice@[2001:db8::1]:5060'],
    ['sip:alice@2001:db8::1;transport=tcp', 'sip:alice@[2001:db8::1]'],
    ['sip:gw.test:5070', 'sip:gw.test:5070'],
    ['tel:+1425;ext=7', 'tel:+1425'],
  ])('%s has the address of record %s', (uri, address) => {
    expect(addressOfRecord(uri)).toBe(address);
  });
});

describe('bodyPart', () => {
  const description = 'v=0\r\ns=-\r\n';

  it('returns the whole body, or a part of a multipart body', () => {
    const parts = [
      '--b1',
      'Content-Type: text/plain',
      '',
      'x',
      '--b1',
      'content-type: Application/SDP; a=b',
      '',
      description,
    ];
    const multipart = request('INVITE', {
      contentType: 'multipart/mixed;boundary="b1"',
      body: `${parts.join('\r\n')}--b1--`,
    });
    expect(bodyPart(readSip(multipart), 'application/sdp')).toBe(description.trimEnd());
    expect(bodyPart(readSip(request('INVITE', { body: description })), 'application/sdp')).toBe(description);
  });

  it.each(['text/plain', 'multipart/mixed', 'multipart/mixed;boundary=b2'])(
    'returns undefined for %s',
    (contentType) => {
      expect(bodyPart(readSip(request('INVITE', { contentType, body: 'x' })), 'application/sdp')).toBeUndefined();
    },
  );
});
