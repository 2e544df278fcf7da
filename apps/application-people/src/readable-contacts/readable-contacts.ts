import { Inject, Injectable } from '@nestjs/common';
import { canonicalName, DIRECTORY, type Directory, type Person } from '@ringdown/directory';
import { reasons } from '@ringdown/hypermedia';
import { isGuestAddress, UNNAMED_GUEST } from '@ringdown/meetings';
import { anonymousNotAllowed } from '@ringdown/token-validation';
import { InterfaceError } from '@ringdown/web-server/errors';
import { stored, type Session } from '../sessions/sessions.js';

/** Someone of whom only this is shown: a guest, or to a guest the person in the same conversation. */
export interface Acquaintance {
  /** SIP address. */
  readonly sipAddress: string;
  readonly name: string;
  readonly isGuest: boolean;
  /** Whether both are in a conversation that is not over and was accepted. */
  readonly isConnected: boolean;
}

export type ReadableContact =
  | { readonly person: Person; readonly acquaintance?: undefined }
  | { readonly person?: undefined; readonly acquaintance: Acquaintance };

/** The other people in the open conversations of an application. */
export type FindAcquaintances = (application: string) => Promise<readonly Acquaintance[]>;

/**
 * Whom a session may read as a contact. Clients follow the contact link of an invitation or a message without a check,
 * also when a guest sent it; the messages, which know the guests, are above this and register here.
 */
@Injectable()
export class ReadableContacts {
  private findAcquaintances: FindAcquaintances = () => Promise.resolve([]);

  constructor(@Inject(DIRECTORY) private readonly directory: Directory) {}

  register(find: FindAcquaintances): void {
    this.findAcquaintances = find;
  }

  /**
   * Throws {@link InterfaceError}: to a guest, the same for everyone with whom the guest is in no conversation. Every
   * address of a guest is readable, also after the end, so that nobody learns which guests there are.
   */
  async find({ application, isGuest }: Session, address: string): Promise<ReadableContact> {
    const person = isGuest ? undefined : this.directory.people.withSipAddress(address);
    if (person !== undefined) return { person };
    if (!isGuest && !isGuestAddress(address)) throw new InterfaceError(reasons.personNotFound);
    const name = addressIn(address);
    const known = await stored(() => this.findAcquaintances(application.id));
    const acquaintance = known.find(({ sipAddress }) => addressIn(sipAddress) === name);
    if (acquaintance !== undefined) return { acquaintance };
    if (isGuest) throw new InterfaceError(anonymousNotAllowed);
    return { acquaintance: { sipAddress: `sip:${name}`, name: UNNAMED_GUEST, isGuest: true, isConnected: false } };
  }
}

function addressIn(address: string): string {
  return canonicalName(address).replace(/^sip:/, '');
}
