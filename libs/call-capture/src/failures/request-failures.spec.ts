import { request, response, type MessageParts } from '../../test/sip-messages.js';
import { readSip } from '../sip/read-sip.js';
import { RequestFailures } from './request-failures.js';

const PHONE = { ip: '192.0.2.10' };
const PROXY = { ip: '192.0.2.1' };

class Played {
  readonly failures: string[] = [];
  private readonly watched = new RequestFailures(({ method, status, peer }) => {
    this.failures.push(`${method} ${status} ${peer}`);
  });

  send(method: string, parts: MessageParts = {}, source = PHONE): void {
    this.watched.onMessage(readSip(request(method, parts)), { source, destination: PROXY }, 0);
  }

  answer(status: string, method: string, parts: MessageParts = {}): void {
    this.watched.onMessage(readSip(response(status, method, parts)), { source: PROXY, destination: PHONE }, 0);
  }

  pass(ms: number): void {
    this.watched.sweep(ms);
  }
}

describe('failures of requests outside of calls', () => {
  let played: Played;

  beforeEach(() => {
    played = new Played();
  });

  it.each([
    ['REGISTER', '403 Forbidden', 'REGISTER 403 192.0.2.10'],
    ['SUBSCRIBE', '489 Bad Event', 'SUBSCRIBE 489 192.0.2.10'],
    ['MESSAGE', '603 Decline', 'MESSAGE 603 192.0.2.10'],
    ['OPTIONS', '503 Service Unavailable', 'OPTIONS 503 192.0.2.1'],
  ])('are found for %s with %s', (method, status, failure) => {
    played.send(method);
    played.send(method);
    played.answer('100 Trying', method);
    played.answer(status, method);
    played.answer(status, method);
    expect(played.failures).toEqual([failure]);
  });

  it('include rejected credentials, but not the challenge', () => {
    played.send('REGISTER');
    played.answer('401 Unauthorized', 'REGISTER');
    expect(played.failures).toEqual([]);
    played.send('REGISTER', { cseq: 2, headers: ['Authorization: Digest response="x"'] });
    played.answer('401 Unauthorized', 'REGISTER', { cseq: 2 });
    expect(played.failures).toEqual(['REGISTER 401 192.0.2.10']);
  });

  function register(status: string, credentials: string, challenge: string, proxy = false): void {
    const [mine, theirs] = proxy
      ? ['Proxy-Authorization', 'Proxy-Authenticate']
      : ['Authorization', 'WWW-Authenticate'];
    played.send('REGISTER', { headers: [`${mine}: ${credentials}`] });
    played.answer(status, 'REGISTER', { headers: [`${theirs}: ${challenge}`] });
  }

  it.each([
    ['an empty nonce and response, as IMS demands', 'Digest username="u",realm="a",nonce="",uri="sip:a",response=""'],
    ['no nonce and no response', 'Digest username="u",realm="a",uri="sip:a",integrity-protected="no"'],
    ['an empty response', 'Digest username="u", nonce="a", response=""'],
    ['a request for another sequence (AKA)', 'Digest username="u", nonce="a", response="b", auts="c"'],
  ])('do not include a challenge after %s', (_what, credentials) => {
    register('401 Unauthorized', credentials, 'Digest realm="a", nonce="abc", algorithm=AKAv1-MD5');
    expect(played.failures).toEqual([]);
  });

  it.each(['stale=true', 'stale=TRUE', 'stale="true"', 'Stale = True , qop="auth"'])(
    'do not include a nonce that is too old: %s',
    (stale) => {
      register('401 Unauthorized', 'Digest nonce="a", response="b"', `Digest realm="r", nonce="c", ${stale}`);
      register(
        '407 Proxy Authentication Required',
        'Digest nonce="a", response="b"',
        `Digest ${stale}, nonce="c"`,
        true,
      );
      expect(played.failures).toEqual([]);
    },
  );

  it.each(['stale=false', 'realm="x, stale=true"', 'opaque="stale=true"', 'xstale=true'])(
    'include rejected credentials whose nonce is not too old: %s',
    (more) => {
      register('401 Unauthorized', 'Digest nonce="a", response="b"', `Digest nonce="c", ${more}`);
      expect(played.failures).toEqual(['REGISTER 401 192.0.2.10']);
    },
  );

  it('do not include the challenge of a proxy after credentials for the registrar', () => {
    register('407 Proxy Authentication Required', 'Digest nonce="a", response="b"', 'Digest nonce="c"');
    expect(played.failures).toEqual([]);
    register('407 Proxy Authentication Required', 'Digest nonce="c", response="b"', 'Digest nonce="d"', true);
    expect(played.failures).toEqual(['REGISTER 407 192.0.2.10']);
  });

  it('do not include the challenge of another realm, as of the second proxy on the way', () => {
    const known = 'Digest username="u", realm="a", nonce="a", response="b"';
    register('407 Proxy Authentication Required', known, 'Digest realm="b", nonce="c"', true);
    register('401 Unauthorized', known, 'Digest realm="b", nonce="c"');
    expect(played.failures).toEqual([]);
    register('401 Unauthorized', known, 'Digest realm="A", nonce="c"');
    register('401 Unauthorized', known, 'Digest realm="a", nonce="c"');
    expect(played.failures).toEqual(['REGISTER 401 192.0.2.10']);
  });

  it('are the same with responses that are captured before their requests', () => {
    played.answer('200 OK', 'REGISTER', { callId: 'good' });
    played.send('REGISTER', { callId: 'good' });
    played.answer('403 Forbidden', 'REGISTER', { callId: 'bad' });
    played.send('REGISTER', { callId: 'bad' });
    expect(played.failures).toEqual(['REGISTER 403 192.0.2.10']);
    played.pass(60_000);
    expect(played.failures).toEqual(['REGISTER 403 192.0.2.10']);
  });

  const SHORT = '423 Interval Too Brief';
  const AGREE = '494 Security Agreement Required';
  it.each([
    [SHORT, ['Expires: 60'], ['Min-Expires: 300'], []],
    [SHORT, ['Contact: <sip:alice@192.0.2.10>;expires=60'], ['Min-Expires: 300'], []],
    [SHORT, [], ['Min-Expires: 300'], []],
    [SHORT, ['Expires: 300'], ['Min-Expires: 300'], ['REGISTER 423 192.0.2.10']],
    [SHORT, ['Contact: <sip:alice@192.0.2.10>; Expires="600"'], ['Min-Expires: 300'], ['REGISTER 423 192.0.2.10']],
    [SHORT, ['Expires: 60'], [], ['REGISTER 423 192.0.2.10']],
    [AGREE, ['Security-Client: ipsec-3gpp'], ['Security-Server: ipsec-3gpp;q=0.1'], []],
    [AGREE, ['Security-Verify: ipsec-3gpp'], ['Security-Server: ipsec-3gpp'], ['REGISTER 494 192.0.2.10']],
    [AGREE, [], [], ['REGISTER 494 192.0.2.10']],
  ])('are not requests for other terms: %s to %j with %j', (status, asked, terms, failures) => {
    played.send('REGISTER', { headers: asked });
    played.answer(status, 'REGISTER', { headers: terms });
    expect(played.failures).toEqual(failures);
  });

  it('include requests without a response', () => {
    played.send('OPTIONS');
    played.pass(31_999);
    expect(played.failures).toEqual([]);
    played.pass(32_000);
    played.pass(33_000);
    expect(played.failures).toEqual(['OPTIONS none 192.0.2.1']);
  });

  it('do not include successes, calls, responses to requests that were not seen, and endless branches', () => {
    played.send('REGISTER');
    played.answer('200 OK', 'REGISTER');
    played.send('INVITE');
    played.answer('486 Busy Here', 'INVITE');
    played.answer('403 Forbidden', 'MESSAGE');
    played.pass(1_000);
    played.send('MESSAGE', { branch: 'z9hG4bK-later' });
    played.answer('200 OK', 'MESSAGE', { branch: 'z9hG4bK-later' });
    played.send('OPTIONS', { branch: 'x'.repeat(257) });
    played.pass(60_000);
    expect(played.failures).toEqual([]);
  });

  it('have a bounded number of peers and kinds', () => {
    for (let n = 0; n < 5_000; n++) {
      played.send('REGISTER', { callId: `c${n}` }, { ip: `10.0.${n % 250}.1` });
      played.answer(`${408 + (n % 290)} Odd`, 'REGISTER', { callId: `c${n}` });
    }
    expect(new Set(played.failures.map((each) => each.split(' ')[2])).size).toBeLessThanOrEqual(101);
    expect(new Set(played.failures).size).toBeLessThanOrEqual(1_001);
    expect(played.failures).toHaveLength(5_000);
  });
});
