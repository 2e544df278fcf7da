import { IdentityHiding, identitySettings } from '@ringdown/identity-hiding';
import { ownCommand, readSettings, SettingsError } from '@ringdown/settings';
import type { CommandIo } from '../run-command.js';

const USAGE = `Usage: ${ownCommand('identity-token', 'ADDRESS...')}

Says by which token each user is called where users are hidden: sip:alice@example.com, alice@example.com, alice, tel:+14255550100.
The seed is IDENTITY_SEED, else that of the data folder (DATA_DIR). Of a subscriber with an obfuscationseed of its own, that one.
`;

/**
 * Prints the tokens of users, one per line; returns the exit code. Requires the seed: its owner may know the
 * tokens.
 */
export function runIdentityTokenCommand(addresses: readonly string[], io: CommandIo): number {
  if (addresses.length === 0 || addresses.some((address) => address.trim() === '' || address.startsWith('-'))) {
    io.err(USAGE);
    return 2;
  }
  const hiding = configuredIdentityHiding(io);
  if (hiding === undefined) return 1;
  for (const address of addresses) io.out(`${hiding.tokenOfAddress(address)}  ${address}\n`);
  return 0;
}

function configuredIdentityHiding(io: CommandIo): IdentityHiding | undefined {
  try {
    const { identitySeed } = readSettings(identitySettings, io.env);
    if (identitySeed !== undefined) return new IdentityHiding(identitySeed);
    io.err('identity-token: IDENTITY_SEED is not set, and the data folder (DATA_DIR) contains none\n');
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    io.err(`identity-token: ${error.problems.join('\n')}\n`);
  }
  return undefined;
}
