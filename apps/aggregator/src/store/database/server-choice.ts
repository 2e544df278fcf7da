import { isOwnLack, errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import type { DatabaseServer, SessionAttrs } from '../../database-servers.js';
import { probeServer, type ServerState } from './probe-server.js';

export interface ServerChoiceOptions {
  readonly servers: readonly DatabaseServer[];
  readonly attrs: SessionAttrs;
  readonly logger: Logger;
  readonly probe?: (server: DatabaseServer) => Promise<ServerState>;
}

interface Answer {
  readonly server: DatabaseServer;
  readonly state?: ServerState;
  /** Why it did not answer. */
  readonly failure?: unknown;
}

type Answered = Answer & { readonly state: ServerState };

/** How old a choice may be: a standby that was promoted beside a running primary is noticed after this time. */
const CHOICE_MS = 2_000;

/**
 * Chooses one of several database servers, as libpq does with `target_session_attrs`, and more strictly: of two
 * primaries, only the one with the newer timeline is written to, also when the newer one does not answer any more.
 */
export class ServerChoice {
  private chosen: { readonly server: DatabaseServer; readonly at: number } | undefined;
  private choosing: Promise<DatabaseServer> | undefined;
  private newestTimeline = 0;
  private lastUsed = '';
  private lastSplit = '';

  constructor(private readonly options: ServerChoiceOptions) {}

  /** The address of the server in use; undefined while there is none. */
  get current(): string | undefined {
    return this.chosen?.server.address;
  }

  /** Rejects with a one-line reason when no server fits. */
  async server(): Promise<DatabaseServer> {
    const { servers } = this.options;
    const [only] = servers;
    // What is behind one address is not ours to choose: it may be a proxy.
    if (servers.length === 1 && only !== undefined) return only;
    const { chosen } = this;
    if (chosen === undefined) return this.choose();
    if (performance.now() - chosen.at > CHOICE_MS) this.choose().catch(() => undefined);
    return chosen.server;
  }

  /** The server in use has failed: the next request chooses again. */
  forget(): void {
    this.chosen = undefined;
  }

  private choose(): Promise<DatabaseServer> {
    this.choosing ??= this.ask().finally(() => (this.choosing = undefined));
    return this.choosing;
  }

  private async ask(): Promise<DatabaseServer> {
    const { servers, probe = probeServer } = this.options;
    const answers = await Promise.all(
      servers.map(async (server): Promise<Answer> => {
        try {
          return { server, state: await probe(server) };
        } catch (error) {
          return { server, failure: error };
        }
      }),
    );
    // A server that was not looked at may be the primary: nothing is known, and the choice stays.
    const unseen = answers.find(({ failure }) => isOwnLack(failure));
    if (unseen !== undefined)
      throw new Error(`the database servers could not be checked: ${errorReason(unseen.failure)}`);
    try {
      const { server } = this.fitting(answers);
      this.logUse(server);
      this.chosen = { server, at: performance.now() };
      return server;
    } catch (error) {
      this.chosen = undefined;
      throw error;
    }
  }

  private fitting(answers: readonly Answer[]): Answered {
    const answered = answers.filter((each): each is Answered => each.state !== undefined);
    const standbys = answered.filter(({ state }) => state.isStandby);
    const { attrs } = this.options;
    // The one with the least lag.
    const [standby] = standbys.toSorted((a, b) => a.state.lagSeconds - b.state.lagSeconds);
    if (attrs === 'any' && answered[0] !== undefined) return answered[0];
    if ((attrs === 'standby' || attrs === 'read-only' || attrs === 'prefer-standby') && standby) return standby;
    if (attrs === 'standby' || attrs === 'read-only') throw new Error(`no standby: ${listedServerStates(answers)}`);
    return this.primaryOf(answers, answered);
  }

  private primaryOf(answers: readonly Answer[], answered: readonly Answered[]): Answered {
    const primaries = answered
      .filter(({ state }) => !state.isStandby)
      .toSorted((a, b) => b.state.timeline - a.state.timeline);
    const [newest, other] = primaries;
    if (newest === undefined) throw new Error(`no primary: ${listedServerStates(answers)}`);
    const { timeline } = newest.state;
    if (timeline < this.newestTimeline) {
      throw new Error(
        `${newest.server.address} is a primary of timeline ${timeline}, but timeline ${this.newestTimeline} was written before: it is not written to`,
      );
    }
    if (other?.state.timeline === timeline) {
      throw new Error(
        `${newest.server.address} and ${other.server.address} are both primaries of timeline ${timeline}: neither is written to`,
      );
    }
    this.newestTimeline = timeline;
    this.logSplit(newest, other);
    return newest;
  }

  private logUse({ address }: DatabaseServer): void {
    if (address !== this.lastUsed) this.options.logger.info(`the database server in use is ${address}`);
    this.lastUsed = address;
  }

  /** A state that lasts is logged once. */
  private logSplit(newest: Answered, other: Answered | undefined): void {
    const split =
      other === undefined
        ? ''
        : `two primaries: ${other.server.address} has the older timeline ${other.state.timeline} and is not written to; ${newest.server.address} with timeline ${newest.state.timeline} is`;
    if (split !== '' && split !== this.lastSplit) this.options.logger.error(split);
    this.lastSplit = split;
  }
}

function listedServerStates(answers: readonly Answer[]): string {
  const stateOf = ({ state, failure }: Answer): string => {
    if (state === undefined) return errorReason(failure);
    return state.isStandby ? 'a standby' : 'a primary';
  };
  return answers.map((each) => `${each.server.address} (${stateOf(each)})`).join(', ');
}
