/** Request and reply: a change of people by a command, for the log of a service; the reply has no content. */
export const PEOPLE_AUDIT_PATTERN = 'ringdown.people.audit';

/** Request and reply: which of these usernames belong to people of the directory. */
export const PEOPLE_KNOWN_PATTERN = 'ringdown.people.known';
/** The maximum number of usernames in one {@link PeopleKnownRequest}. */
export const MAX_ASKED_PEOPLE = 200;

export interface PeopleKnownRequest {
  readonly usernames: readonly string[];
}

export interface PeopleKnownReply {
  /** Those of the request that belong to a person, blocked ones included. */
  readonly known: readonly string[];
}
