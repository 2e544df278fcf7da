// Provides an operator's token, in place of the service that owns the tokens.
import { createHash } from 'node:crypto';
import { TOKENS_INTROSPECT_PATTERN } from '@ringdown/contracts/tokens';
import { Bus } from '@ringdown/nats';

/** Returns `{ token, stop }`. */
export async function operatorOf(natsUrl, logger) {
  const bus = await Bus.connect({ url: natsUrl, name: 'bench tokens', logger });
  const principal = {
    username: 'bench@example.test',
    sipAddress: 'sip:bench@example.test',
    roles: ['user', 'operator', 'reveal'],
    expiresAt: Date.now() + 86_400_000,
  };
  bus.respond(TOKENS_INTROSPECT_PATTERN, () => ({ principal }));
  return { token: createHash('sha256').update('bench').digest('hex'), stop: () => bus.close() };
}
