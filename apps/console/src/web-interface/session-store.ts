import { Reading } from './reading.js';
import type { Token } from './token.js';
import { UnexpectedAnswer } from './errors.js';

/** What a tab remembers while it is signed in. */
export interface KeptSession extends Token {
  readonly username: string;
  /** This tab's name for itself: tabs with the same endpoint share an application, and each has its own event channel. */
  readonly instanceId: string;
}

/** The part of the browser's `Storage` that is used. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface SessionStoreOptions {
  /** Forgotten with the tab: `sessionStorage`. */
  readonly tab: TextStore;
  /** Shared by all tabs, and nothing secret is in it: `localStorage`. */
  readonly device: TextStore;
  /** A new name that nobody else has. */
  readonly newId: () => string;
}

const SESSION = 'ringdown.session';
const ENDPOINT = 'ringdown.endpoint';

/** Where a browser keeps its session, so that a reload and another tab are the same client (spec, "Authentication", 7). */
export class SessionStore {
  constructor(private readonly options: SessionStoreOptions) {}

  /** Undefined when there is none, or none that can be read. */
  read(): KeptSession | undefined {
    const text = this.options.tab.getItem(SESSION);
    if (text === null) return undefined;
    try {
      return readKept(new Reading(JSON.parse(text), 'the kept session'));
    } catch (error) {
      if (!(error instanceof UnexpectedAnswer || error instanceof SyntaxError)) throw error;
      this.forget();
      return undefined;
    }
  }

  /** With a new name for the tab. */
  keep(session: Omit<KeptSession, 'instanceId'>): KeptSession {
    return this.write({ ...session, instanceId: this.options.newId() });
  }

  write(kept: KeptSession): KeptSession {
    this.options.tab.setItem(SESSION, JSON.stringify(kept));
    return kept;
  }

  forget(): void {
    this.options.tab.removeItem(SESSION);
  }

  /** Names this browser; the same for all its users. */
  endpointId(): string {
    const known = this.options.device.getItem(ENDPOINT);
    if (known !== null) return known;
    const made = this.options.newId();
    this.options.device.setItem(ENDPOINT, made);
    return made;
  }
}

function readKept(kept: Reading): KeptSession {
  const applications = kept.optionalText('applications');
  return {
    ...(applications === undefined ? {} : { applications }),
    authorization: kept.text('authorization'),
    expiresAt: kept.positive('expiresAt'),
    revocation: kept.text('revocation'),
    username: kept.text('username'),
    instanceId: kept.text('instanceId'),
  };
}
