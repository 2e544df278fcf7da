/** Request and reply: a change of people by a command, for the log of a service; the reply has no content. */
export const PEOPLE_AUDIT_PATTERN = 'ringdown.people.audit';
