import { TOKENS_INTROSPECT_PATTERN, TOKENS_REVOKED_SUBJECT } from '@ringdown/contracts/tokens';
import { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { tokenHash, TokenValidator, type IntrospectionReply, type IntrospectionRequest } from '../src/index.js';

const principals = new Map<string, IntrospectionReply['principal']>();
let introspections = 0;
/** Delays replies of the token service. */
let held: Promise<void> | undefined;

async function introspect(request: unknown): Promise<IntrospectionReply> {
  introspections++;
  // Sent by the validator under test.
  const principal = principals.get((request as IntrospectionRequest).tokenHash) ?? null;
  await held;
  return { principal };
}

describe('a token validator', () => {
  let nats: TestNats;
  let bus: Bus;
  let stopIntrospection: () => void;
  let validator: TokenValidator;

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    validator = new TokenValidator({ bus });
    stopIntrospection = bus.respond(TOKENS_INTROSPECT_PATTERN, introspect);
  });
  afterAll(async () => {
    validator.close();
    stopIntrospection();
    await bus.close();
    await nats.stop();
  });

  function issue(token: string, expiresAt = Date.now() + 60_000): void {
    const principal = { username: 'a@x', sipAddress: 'sip:a@x', roles: ['user'] as const, expiresAt };
    principals.set(tokenHash(token), principal);
  }

  it('sends one request for a token and caches the reply for a while', async () => {
    let tokens = 0;
    // On a busy machine the reply may expire before the second check.
    await eventually('two checks with one introspection request', async () => {
      const token = `known ${++tokens}`;
      issue(token);
      introspections = 0;
      expect(await validator.check(token)).toMatchObject({ username: 'a@x' });
      expect(await validator.check(token)).toMatchObject({ username: 'a@x' });
      return introspections === 1;
    });
  });

  it('sends one request for concurrent checks of a token', async () => {
    issue('known');
    introspections = 0;
    const checked = await Promise.all([validator.check('known'), validator.check('known')]);
    expect(checked).toEqual([
      expect.objectContaining({ username: 'a@x' }),
      expect.objectContaining({ username: 'a@x' }),
    ]);
    expect(introspections).toBe(1);
  });

  it('rejects a token that is unknown or expired', async () => {
    issue('old', Date.now() - 1);
    expect(await validator.check('old')).toBeNull();
    expect(await validator.check('never issued')).toBeNull();
  });

  it('removes a revoked token from the cache as soon as it is notified', async () => {
    issue('revoked');
    expect(await validator.check('revoked')).not.toBeNull();
    // The token service would still report it as valid: only the broadcast ends it.
    bus.publish(TOKENS_REVOKED_SUBJECT, { tokenHash: tokenHash('revoked') });
    expect(await eventually('the token to be rejected', async () => (await validator.check('revoked')) === null)).toBe(
      true,
    );
  });

  it('notifies only the listeners of a token when it is revoked', async () => {
    const notified: string[] = [];
    const forget = ['first', 'first', 'other', 'unsubscribed'].map((token) =>
      validator.whenRevoked(token, () => notified.push(token)),
    );
    forget[3]?.();
    for (const token of ['unsubscribed', 'first']) bus.publish(TOKENS_REVOKED_SUBJECT, { tokenHash: tokenHash(token) });
    await eventually('both listeners to be notified', () => notified.length >= 2);
    expect(notified).toEqual(['first', 'first']);
    // One that unsubscribes at once.
    validator.whenRevoked('first', () => notified.push('late'))();
    expect(notified).toEqual(['first', 'first', 'late']);
    for (const each of forget) each();
  });

  it('ignores a reply that was under way when the token was revoked', async () => {
    issue('overtaken');
    let release = (): void => undefined;
    held = new Promise((resolve) => (release = resolve));
    const before = introspections;
    const checked = validator.check('overtaken');
    await eventually('the next introspection request', async () => introspections > before);
    bus.publish(TOKENS_REVOKED_SUBJECT, { tokenHash: tokenHash('overtaken') });
    await bus.connection.flush();
    held = undefined;
    release();
    expect(await checked).toBeNull();
  });

  it('notices a revocation within a second without the broadcast', async () => {
    issue('not-broadcast');
    expect(await validator.check('not-broadcast')).not.toBeNull();
    principals.clear();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await validator.check('not-broadcast')).toBeNull();
  });

  it('waits for a token service that reconnects a moment later than this one', async () => {
    issue('early');
    stopIntrospection();
    await bus.connection.flush();
    const checked = validator.check('early');
    await new Promise((resolve) => setTimeout(resolve, 300));
    stopIntrospection = bus.respond(TOKENS_INTROSPECT_PATTERN, introspect);
    expect(await checked).toMatchObject({ username: 'a@x' });
  });

  it('reports that the token service does not respond, rather than that the token is invalid', async () => {
    stopIntrospection();
    await expect(validator.check('anything')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
