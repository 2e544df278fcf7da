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

describe('the command that prints the token of a user', () => {
  const hiding = new IdentityHiding(SEED);

  it('prints the token that exports and subscribers use, regardless of the spelling of the address', () => {
    const [, token = ''] = /sip:([^@]+)@/.exec(hiding.address('sip:alice@example.com')) ?? [];
    expect(run(['sip:alice@example.com', 'Alice@other.test', 'alice'])).toEqual([
      0,
      `${token}  sip:alice@example.com\n${token}  Alice@other.test\n${token}  alice\n`,
      '',
    ]);
    expect(run(['tel:+1-425-555-0100'])).toEqual([0, `${hiding.token('+14255550100')}  tel:+1-425-555-0100\n`, '']);
  });

  it.each([[[]], [['']], [['--help']], [['alice', '-x']]])('prints its usage for the arguments %j', (addresses) => {
    expect(run(addresses)).toEqual([2, '', expect.stringMatching(/^Usage/)]);
  });

  it('rejects a missing seed and a seed that is easy to guess', () => {
    expect(run(['alice'], {})).toEqual([1, '', expect.stringContaining('IDENTITY_SEED is not set')]);
    expect(run(['alice'], { IDENTITY_SEED: 'short' })).toEqual([1, '', expect.stringContaining('at least 16')]);
  });
});
