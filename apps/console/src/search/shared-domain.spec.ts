import { nameParts, sharedDomain } from './shared-domain.js';

const call = (...uris: string[]): { parties: { uri: string }[] } => ({ parties: uris.map((uri) => ({ uri })) });

describe('the domain that all calls of a list share', () => {
  it('is that of all addresses; numbers and addresses of hosts have none', () => {
    expect(sharedDomain([call('sip:a@x.test', 'sip:b@x.test'), call('sip:a@x.test', 'tel:+4930')])).toBe('@x.test');
    expect(sharedDomain([{ parties: [{ uri: 'sip:a@x.test' }, { ip: '192.0.2.1' }] }])).toBe('@x.test');
  });

  it('is none where they differ, and without addresses', () => {
    expect(sharedDomain([call('sip:a@x.test', 'sip:b@y.test')])).toBeUndefined();
    expect(sharedDomain([call('sip:a@x.test'), call('sip:b@X.test')])).toBeUndefined();
    expect(sharedDomain([])).toBeUndefined();
    expect(sharedDomain([{ parties: [] }])).toBeUndefined();
  });

  it('begins with the last sign of an address', () => {
    expect(nameParts('a@b@x.test')).toEqual(['a@b', '@x.test']);
    expect(nameParts('@x.test')).toEqual(['@x.test', '']);
    expect(nameParts('+4930')).toEqual(['+4930', '']);
  });
});
