import { JsonReader } from './json-reader.js';
import type { TextStore } from './text-store.js';
import type { PersonalToken } from './token.js';
import { UnexpectedAnswer } from './errors.js';

/** What a tab stores while it is signed in. */
export interface StoredSession extends PersonalToken {
  /** The id of this tab: tabs with the same endpoint share an application, and each has its own event channel. */
  readonly instanceId: string;
}

export interface SessionStoreOptions {
  /** Deleted with the tab: `sessionStorage`. */
  readonly tab: TextStore;
  /** Shared by all tabs, without secrets: `localStorage`. */
  readonly device: TextStore;
  /** A new unique id. */
  readonly newId: () => string;
}

const SESSION = 'ringdown.session';
const ENDPOINT = 'ringdown.endpoint';

/** Stores the session of a browser, so that a reload and another tab are the same client (web-interface.md, section 3). */
export class SessionStore {
  constructor(private readonly options: SessionStoreOptions) {}

  /** Undefined if there is none, or it is invalid. */
  read(): StoredSession | undefined {
    const text = this.options.tab.getItem(SESSION);
    if (text === null) return undefined;
    const kept = readSession(text);
    if (kept === undefined) this.forget();
    return kept;
  }

  /** Saves the session with a new id for the tab. */
  save(session: Omit<StoredSession, 'instanceId'>): StoredSession {
    return this.write({ ...session, instanceId: this.options.newId() });
  }

  write(kept: StoredSession): StoredSession {
    this.options.tab.setItem(SESSION, JSON.stringify(kept));
    return kept;
  }

  forget(): void {
    this.options.tab.removeItem(SESSION);
  }

  /** The id of this browser; the same for all its users. */
  endpointId(): string {
    const known = this.options.device.getItem(ENDPOINT);
    if (known !== null) return known;
    const made = this.options.newId();
    this.options.device.setItem(ENDPOINT, made);
    return made;
  }
}

/** A session as JSON, from the store or from another tab; undefined if it is none. */
export function readSession(text: string): StoredSession | undefined {
  try {
    return readKept(new JsonReader(JSON.parse(text), 'the kept session')); // not shown: part of an error for developers
  } catch (error) {
    if (error instanceof UnexpectedAnswer || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readKept(kept: JsonReader): StoredSession {
  const applications = kept.optionalText('applications');
  const endSession = withoutToken(kept.optionalText('endSession'));
  return {
    ...(endSession === undefined ? {} : { endSession }),
    ...(applications === undefined ? {} : { applications }),
    authorization: kept.text('authorization'),
    expiresAt: kept.positive('expiresAt'),
    revocation: kept.text('revocation'),
    username: kept.text('username'),
    instanceId: kept.text('instanceId'),
  };
}

/** Earlier versions kept an address with a token of the provider. */
function withoutToken(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  url.searchParams.delete('id_token_hint');
  return url.href;
}
