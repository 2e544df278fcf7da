import { jetstreamManager, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { isNotAllowed } from './not-allowed.js';
import { whileElecting } from './while-electing.js';

/** How the accounts without JetStream name the API of the account of the feed (libs/embedded/src/bus-accounts.ts). */
const FEED_API = '$JS.FEED.API';
const USER_INFO = '$SYS.REQ.USER.INFO';
const NOT_ENABLED_FOR_ACCOUNT = 10_039;
const REPLY_MS = 5_000;
/** The account of users for whom a server has none. */
const GLOBAL = '$G';

const WITHOUT_ACCOUNTS =
  'its users have no accounts: it still has the configuration and the streams of an older version. ' +
  'Follow "Accounts of the bus" in docs/guides/upgrade-notes.md: back up, restart the bus with deploy/bus/users.conf, restore';

/** What the account of a connection has. */
export interface BusAccount {
  readonly jsm: JetStreamManager;
  /** For the client of the library. */
  readonly apiPrefix: string | undefined;
  /** Whether streams can be created and changed: an account without JetStream reads some of those of the feed. */
  readonly hasJetStream: boolean;
}

/**
 * Rejects for a user with limited permissions on a server that does not divide its users into accounts: users of one
 * account reach each other's streams whatever their permissions are. One user for all services has nobody to be kept from.
 */
export async function openAccount(connection: NatsConnection): Promise<BusAccount> {
  await assertAccount(connection);
  try {
    const jsm = await whileElecting(() => jetstreamManager(connection));
    return { jsm, apiPrefix: undefined, hasJetStream: true };
  } catch (error) {
    if (!isNotEnabled(error)) throw error;
    const jsm = await jetstreamManager(connection, { apiPrefix: FEED_API, checkAPI: false });
    return { jsm, apiPrefix: FEED_API, hasJetStream: false };
  }
}

async function assertAccount(connection: NatsConnection): Promise<void> {
  let info: unknown;
  try {
    info = (await connection.request(USER_INFO, '', { timeout: REPLY_MS })).json();
  } catch (error) {
    if (isNotAllowed(error)) throw new Error(WITHOUT_ACCOUNTS, { cause: error });
    // A server that does not answer says nothing about its users.
    return;
  }
  const { account, permissions } = Object(Object(info).data);
  if (account === GLOBAL && isLimited(permissions)) throw new Error(WITHOUT_ACCOUNTS);
}

function isLimited(permissions: unknown): boolean {
  const { publish, subscribe } = Object(permissions);
  return publish !== undefined || subscribe !== undefined;
}

/** "JetStream not enabled for account", and not for the whole server. */
function isNotEnabled(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  return cause instanceof JetStreamApiError && cause.code === NOT_ENABLED_FOR_ACCOUNT;
}
