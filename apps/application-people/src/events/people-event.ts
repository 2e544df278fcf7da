import { supersedes, type SessionEvent } from './session-event.js';

/** The place of a person in the addresses of an event that stands for many; no path of the interface contains it. */
export const EACH_PERSON = '*';

/** So few have single events, which replicas of versions before know as well. */
const FEW = 100;

/** The event for {@link EACH_PERSON}, for these people, by their names in URLs; one for all when they are many. */
export function forEachPerson(event: SessionEvent, people: readonly string[]): SessionEvent[] {
  return people.length > FEW ? [{ ...event, people }] : people.map((person) => eventOf(event, person));
}

/** How many events the client receives for these. */
export function receivedEventCount(events: readonly SessionEvent[]): number {
  return events.reduce((sum, { people }) => sum + (people?.length ?? 1), 0);
}

/** What the client receives: one event for each person. */
export function* expanded(events: readonly SessionEvent[]): Generator<SessionEvent> {
  for (const event of events) {
    if (event.people === undefined) yield event;
    else for (const person of event.people) yield eventOf(event, person);
  }
}

/**
 * What is left of an older event when the newer one follows: nothing when it is superseded, and of an event for many
 * people those whom the newer one does not concern. An event for many supersedes nothing.
 */
export function remainderOf(older: SessionEvent, newer: SessionEvent): SessionEvent | undefined {
  if (older.people === undefined) return supersedes(newer, older) ? undefined : older;
  const person = personIn(newer.link.href, older.link.href);
  if (person === undefined || !older.people.includes(person)) return older;
  if (!supersedes(newer, eventOf(older, person))) return older;
  const people = older.people.filter((each) => each !== person);
  return people.length === 0 ? undefined : { ...older, people };
}

function eventOf({ people: _people, link, in: place, ...rest }: SessionEvent, person: string): SessionEvent {
  return {
    ...rest,
    link: { ...link, href: personHref(link.href, person) },
    ...(place === undefined ? {} : { in: { ...place, href: personHref(place.href, person) } }),
  };
}

function personHref(pattern: string, person: string): string {
  // A function, because a text may contain patterns of its own, like `$&`.
  return pattern.replace(EACH_PERSON, () => person);
}

/** The person at whose place in the pattern this address has another text. */
function personIn(href: string, pattern: string): string | undefined {
  const [start = '', end = ''] = pattern.split(EACH_PERSON);
  const fits = href.length > start.length + end.length && href.startsWith(start) && href.endsWith(end);
  return fits ? href.slice(start.length, href.length - end.length) : undefined;
}
