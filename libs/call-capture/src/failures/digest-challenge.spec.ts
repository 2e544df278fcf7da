import { request } from '../../test/sip-messages.js';
import { readSip } from '../sip/read-sip.js';
import { credentialsIn } from './digest-challenge.js';

describe('the realms that are kept of the credentials of a request', () => {
  it.each([
    ['server', 'Authorization'],
    ['proxy', 'Proxy-Authorization'],
  ] as const)('are the first 8 of the %s, of 256 characters each', (whose, header) => {
    const headers = Array.from({ length: 80 }, (_, n) => `${header}: Digest realm="${n}${'x'.repeat(300)}", nonce="a"`);
    const realms = credentialsIn(readSip(request('REGISTER', { headers })).headers)[whose];
    expect(realms.map((realm) => realm.slice(0, 3))).toEqual(Array.from({ length: 8 }, (_, n) => `${n}xx`));
    expect(realms.map(({ length }) => length)).toEqual(Array.from({ length: 8 }, () => 256));
  });
});
