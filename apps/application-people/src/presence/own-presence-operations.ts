import { Injectable } from '@nestjs/common';
import { InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';
import type { Link } from '@ringdown/hypermedia';
import { stored, type Session } from '../sessions/sessions.js';
import { availableClient, type AvailabilityInput } from './presence-input.js';
import type { OwnChange } from '../presence-store/presence-changes.js';
import type { AvailableClient, PresenceRecord } from '../presence-store/presence-record.js';
import { PresenceResources } from './presence-resources.js';
import { Presences } from './presences.js';

export const makeMeAvailableRequired: ErrorRow = {
  status: 409,
  code: 'Conflict',
  subcode: 'MakeMeAvailableRequired',
  message: 'The user must first become available in this application.',
};
const alreadyAvailable: ErrorRow = {
  status: 409,
  code: 'Conflict',
  subcode: 'AlreadyExists',
  message: 'The user is already available in this application.',
};

/** What users may do with their own presence, with errors of the interface (web-interface.md, section 6). */
@Injectable()
export class OwnPresenceOperations {
  constructor(
    private readonly presences: Presences,
    private readonly resources: PresenceResources,
  ) {}

  /** What the client can do; undefined while the user is not available in this application. */
  async clientOf({ application, owner, isGuest }: Session): Promise<AvailableClient | undefined> {
    if (isGuest) return undefined;
    const { clients } = await stored(() => this.presences.read(owner));
    return clients[application.id];
  }

  /** The links of `me` that depend on whether the user is available in this application. */
  linksFor({ application, isGuest }: Session, client: AvailableClient | undefined): readonly Link[] {
    return isGuest ? [] : this.resources.ownLinks(application.id, client !== undefined);
  }

  async makeAvailable({ application, owner }: Session, input: AvailabilityInput): Promise<void> {
    const client = availableClient(input);
    const device = application.type === 'Phone' ? 'Mobile' : 'Web';
    const isNew = await stored(() =>
      this.presences.makeAvailable(owner, application.id, { ...client, device }, input.signInAs ?? undefined),
    );
    if (!isNew) throw new InterfaceError(alreadyAvailable);
  }

  /** Throws {@link InterfaceError} `MakeMeAvailableRequired`. */
  async read({ application, owner }: Session): Promise<PresenceRecord> {
    const record = await stored(() => this.presences.read(owner));
    if (!(application.id in record.clients)) throw new InterfaceError(makeMeAvailableRequired);
    return record;
  }

  /** A new tab is a sign of its user: otherwise it could be expired as inactive before its first poll. */
  async addedInstance({ application, owner, isGuest }: Session): Promise<void> {
    if (!isGuest) await stored(() => this.presences.act(owner, application.id));
  }

  /** Every change also counts as activity. Throws {@link InterfaceError} `MakeMeAvailableRequired`. */
  async act({ application, owner }: Session, change?: OwnChange): Promise<void> {
    const isAvailable = await stored(() => this.presences.act(owner, application.id, change));
    if (!isAvailable) throw new InterfaceError(makeMeAvailableRequired);
  }
}
