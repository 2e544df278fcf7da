import { Injectable } from '@nestjs/common';
import { InterfaceError } from '@ringdown/web-server/errors';
import type { Person } from '@ringdown/directory';
import { Applications } from '../sessions/applications.js';
import type { Session } from '../sessions/sessions.js';
import { applicationChannelKeys } from '../events/channel-key.js';
import { EventChannels } from '../events/event-channels.js';
import { requireMatch } from '../http/put-request.js';
import { makeMeAvailableRequired } from '../presence/own-presence-operations.js';
import { Presences } from '../presence/presences.js';
import {
  communicationEtag,
  clientCommunication,
  CommunicationResources,
  type Communication,
} from '../communication/communication-resources.js';

/** The applications that can receive messages for a person. */
export interface Reach {
  readonly applications: readonly string[];
  /** Whether the person is shown as `DoNotDisturb`. */
  readonly isDoNotDisturb: boolean;
}

/** What clients can do with messages, as they reported it when their users became available. */
@Injectable()
export class Communications {
  constructor(
    private readonly applications: Applications,
    private readonly presences: Presences,
    private readonly channels: EventChannels,
    private readonly resources: CommunicationResources,
  ) {}

  async of({ application, owner }: Pick<Session, 'application' | 'owner'>): Promise<Communication> {
    const { clients } = await this.presences.read(owner);
    return clientCommunication(clients[application.id]);
  }

  async reach(person: Person): Promise<Reach> {
    const { presences, applications } = this;
    const record = await presences.read(person);
    const running = await applications.ofUser(person.username);
    return {
      applications: running.map(({ id }) => id).filter((id) => record.clients[id]?.modalities.includes('Messaging')),
      isDoNotDisturb: presences.shownOf(record).availability === 'DoNotDisturb',
    };
  }

  /**
   * Throws {@link InterfaceError} when `If-Match` is not the current state, or the user is not available in the client.
   */
  async put(
    { application, owner }: Session,
    wanted: Partial<Communication>,
    ifMatch: string | undefined,
  ): Promise<void> {
    const { presences, channels, resources } = this;
    const { id } = application;
    const { clients } = await presences.change(owner, (before) => {
      const client = before.clients[id];
      const current = clientCommunication(client);
      requireMatch(ifMatch, communicationEtag(current));
      if (client === undefined) throw new InterfaceError(makeMeAvailableRequired);
      const { supportedModalities: modalities, supportedMessageFormats: messageFormats } = { ...current, ...wanted };
      return { ...before, clients: { ...before.clients, [id]: { ...client, modalities, messageFormats } } };
    });
    const event = resources.updated(id, clientCommunication(clients[id]));
    await Promise.all(applicationChannelKeys(application).map((key) => channels.append(key, [event])));
  }
}
