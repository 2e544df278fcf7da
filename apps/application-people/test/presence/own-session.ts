import type { TwoReplicas } from '../two-replicas.js';
import { resourceHref, embeddedMe, type WebClient } from '../web-client.js';

/** A new session of a user. */
export interface OwnSession {
  readonly client: WebClient;
  readonly id: string;
  readonly href: string;
  readonly me: string;
}

let sessions = 0;

/** Makes the user available in it, with the given parameters; null leaves the user unavailable. */
export async function openSession(
  world: TwoReplicas,
  user: string,
  available: object | null = {},
): Promise<OwnSession> {
  const client = await world.user(user);
  const application = await client.create(`${user}-${++sessions}`);
  const session = {
    client,
    id: application.id ?? '',
    href: resourceHref(application),
    me: resourceHref(embeddedMe(application)),
  };
  if (available !== null) await client.post(resourceHref(embeddedMe(application), 'makeMeAvailable'), available);
  return session;
}
