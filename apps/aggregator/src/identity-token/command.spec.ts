import { IdentityHiding } from '@ringdown/identity-hiding';
import { runIdentityTokenCommand } from './command.js';

const SEED = 'a seed that is long enough';

function run(addresses: readonly string[], env: Record<string, string> = { IDENTITY_SEED: SEED }): unknown[] {
  let [out, err] = ['', ''];
  const code = runIdentityTokenCommand(addresses, {
    env,
    out: (words) => (out += words),
    err: (words) => (err += words),
  });
  return [code, out, err];
}

describe('the command that tells the token of a user', () => {
  const hiding = new IdentityHiding(SEED);

  it('tells the one by which the user is called in exports and by subscribers, however the address is written', () => {
    const [, token = ''] = /sip:([^@]+)@/.exec(hiding.address('sip:alice@example.com')) ?? [];
    expect(run(['sip:alice@example.com', 'Alice@other.test', 'alice'])).toEqual([
      0,
      `${token}  sip:alice@example.com\n${token}  Alice@other.test\n${token}  alice\n`,
      '',
    ]);
    expect(run(['tel:+1-425-555-0100'])).toEqual([0, `${hiding.token('+14255550100')}  tel:+1-425-555-0100\n`, '']);
  });

  it.each([[[]], [['']], [['--help']], [['alice', '-x']]])('tells how it is used when it is asked %j', (addresses) => {
    expect(run(addresses)).toEqual([2, '', expect.stringMatching(/^Usage/)]);
  });

  it('does without no seed, and takes none that can be found by trying', () => {
    expect(run(['alice'], {})).toEqual([1, '', expect.stringContaining('IDENTITY_SEED is not set')]);
    expect(run(['alice'], { IDENTITY_SEED: 'short' })).toEqual([1, '', expect.stringContaining('at least 16')]);
  });
});
