import type { en } from '../en/meet.js';

export const de: typeof en = {
  noMeeting: 'Dieser Link führt zu keiner Besprechung',
  noMeetingReason: 'Der Link ist möglicherweise unvollständig. Bitten Sie den Organisator um den vollständigen Link.',
  meeting: 'Besprechung',
  meetingWith: (organizer) => `Besprechung mit ${organizer}`,
  title: 'An einer Besprechung teilnehmen',
  about: 'Sie können dem Organisator Nachrichten senden. Er sieht Sie als Gast.',
  name: 'Ihr Name',
  join: 'Teilnehmen',
  joining: 'Beitritt läuft …',
  organizer: (name) => `Organisator: ${name}`,
  leave: 'Verlassen',
  over: 'Die Besprechung ist beendet oder lässt keine Gäste mehr zu.',
  notResponding: 'Der Server antwortet nicht. Es wird erneut versucht.',
  refused: 'Die Besprechung ist beendet oder lässt keine Gäste zu. Bitten Sie den Organisator um einen neuen Link.',
  unexpected: 'Die Antwort des Servers war unerwartet. Versuchen Sie es später erneut.',
};
