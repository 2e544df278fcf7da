import { createPublicKey, verify } from 'node:crypto';
import { makeNatsKey, publicKeyOf, signNonce } from './nats-key.js';

describe('a key of a NATS client', () => {
  // Both of "NKeys" in the documentation of NATS: `nk -gen user -pubout`.
  const SEED = 'SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY';
  const PUBLIC = 'UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4';

  // RFC 8032, 7.1, test 1: its secret key as such a seed.
  const RFC_8032_SEED = 'SUAJ2YNRTXX72WTAXKCEV5ES5QWMIRCJYVUXWMTJDFYDXLADDSXH6YALCA';
  const RFC_8032_PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
  const RFC_8032_SIGNATURE =
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b';

  it('has the public key that the program of NATS makes of its seed', () => {
    expect(publicKeyOf(SEED)).toBe(PUBLIC);
  });

  it('is made with both parts, which belong together', () => {
    const { seed, publicKey } = makeNatsKey();
    expect([seed, publicKey]).toEqual([
      expect.stringMatching(/^SU[A-Z2-7]{56}$/),
      expect.stringMatching(/^U[A-Z2-7]{55}$/),
    ]);
    expect(publicKeyOf(seed)).toBe(publicKey);
  });

  it('signs a nonce as Ed25519, in base 64 for addresses', () => {
    const signature = signNonce(RFC_8032_SEED, '');
    expect(Buffer.from(signature, 'base64url').toString('hex')).toBe(RFC_8032_SIGNATURE);
    expect(signature).not.toMatch(/[+/=]/);
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(RFC_8032_PUBLIC, 'hex').toString('base64url') },
      format: 'jwk',
    });
    expect(verify(null, Buffer.from('abc'), key, Buffer.from(signNonce(RFC_8032_SEED, 'abc'), 'base64url'))).toBe(true);
  });
});
