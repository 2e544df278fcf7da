/** The subject on which a subscriber that reads the bus gets what it has subscribed to. */
export function subscriberSubject(name: string, what: 'records' | 'calls'): string {
  return `ringdown.subscribers.${name}.${what}`;
}
