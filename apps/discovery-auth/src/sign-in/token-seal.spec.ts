import { TokenSeal } from './token-seal.js';

const token = { username: 'carol@example.test', issuedAt: 1, expiresAt: 2, passwordMark: 'mark' };
const seal = new TokenSeal(Buffer.from('key of discovery-auth'));
const stored = seal.seal('hash', token);

describe('a sealed token', () => {
  it('is opened for its hash, also after JSON', () => {
    expect(seal.open('hash', JSON.parse(JSON.stringify(stored)))).toEqual(token);
  });

  it.each<[string, string, unknown]>([
    ['under another hash', 'other', stored],
    ['without a seal', 'hash', token],
    ['with a changed owner', 'hash', { ...stored, username: 'mallory@example.test' }],
    ['with roles added', 'hash', { ...stored, roles: ['admin'] }],
    ['without the mark of its password', 'hash', { ...stored, passwordMark: undefined }],
    ['with a seal of another length', 'hash', { ...stored, seal: '' }],
    ['with the seal of another key', 'hash', new TokenSeal(Buffer.from('another key')).seal('hash', token)],
    ['that is no object', 'hash', null],
  ])('is rejected %s', (_how, hash, value) => {
    expect(seal.open(hash, value)).toBeUndefined();
  });
});
