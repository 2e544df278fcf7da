import { callIdIn } from './call-id-form.js';

describe('the CallId of records', () => {
  it('is the Call-ID of SIP', () => {
    expect(callIdIn('sip', 'a84b4c76e66710@pc33.example.test')).toBe('a84b4c76e66710@pc33.example.test');
  });

  it('has 32 hexadecimal digits as a hash, the same on every sender', () => {
    // printf abc | sha256sum
    expect(callIdIn('hash', 'abc')).toBe('ba7816bf8f01cfea414140de5dae2223');
  });
});
