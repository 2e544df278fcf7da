import type { en } from '../en/live.js';
import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('de');

export const de: typeof en = {
  overview: 'Überblick',
  inProgress: (count, shown) => plural(count, { one: `${shown} laufender Anruf`, other: `${shown} laufende Anrufe` }),
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  statuses: {
    connecting: 'wird verbunden …',
    live: 'live',
    paused: 'angehalten',
    reconnecting: 'wird neu verbunden …',
    refused: 'beendet',
  },
  shown: (count) => plural(count, { one: '# Anruf angezeigt.', other: '# Anrufe angezeigt.' }),
  notListed: (count) =>
    plural(count, {
      one: '# weiterer laufender Anruf, noch nicht aufgeführt.',
      other: '# weitere laufende Anrufe, noch nicht aufgeführt.',
    }),
  badInProgress: (count) =>
    plural(count, { one: '# schlechter laufender Anruf', other: '# schlechte laufende Anrufe' }),
  live: 'Live',
  callCount: (count) => plural(count, { one: '# Anruf', other: '# Anrufe' }),
  tabTitle: (calls) => `${calls} – Ringdown`,
  tabTitleWithBad: (bad, calls) => `(${bad} schlecht) ${calls} – Ringdown`,
  noMatches: 'Keine laufenden Anrufe entsprechen diesen Filtern.',
  showAll: 'Alle anzeigen',
  chartsOnly: (filters) =>
    `Die Liste hat Filter nach Zustand, Bewertung, Frontend und Standort. Nur für die Diagramme gilt: ${filters}.`,
  searchRunning: 'Laufende Anrufe mit allen Filtern suchen',
  filtersFailed: 'Die Filter können nicht angezeigt werden: Laden Sie die Seite neu.',
  noCalls: 'Keine laufenden Anrufe.',
  noCallsAdvice: (command) => `Neue Anrufe erscheinen hier von selbst. ${command} erzeugt Beispielanrufe.`,

  showFewer: 'Weniger anzeigen',
  showMore: (count) => `+ ${count} weitere`,
  sort: 'Sortierung',
  sorts: { severity: 'Schlechteste zuerst', newest: 'Neueste zuerst', oldest: 'Längste zuerst' },
  group: 'Gruppierung',
  groups: { none: 'Ohne Gruppen', frontEnd: 'Frontend', site: 'Standort', verdict: 'Bewertung' },
  unknown: { frontEnd: 'Unbekanntes Frontend', site: 'Ohne Standort' },
  endedRecently: 'Kürzlich beendet',

  calls: 'Anrufe',
  verdict: 'Bewertung',
  state: 'Zustand',
  parties: 'Teilnehmer',
  problem: 'Problem',
  media: 'Medien',
  frontEnd: 'Frontend',
  started: 'Begonnen',
  duration: 'Dauer',
  unknownParty: 'unbekannt',

  concurrentCalls: 'Parallele Anrufe',
  bandwidth: 'Bandbreite',
  lastHour: 'Letzte Stunde',
  inLastHour: 'letzte Stunde',
  period: (from, to) => `${from} bis ${to}`,
  most: (load) => `max. ${load}`,
  loadOf: (value, load) => `${value} ${load}`,
  upTo: (period, most) => `${period}, max. ${most}`,
  chart: (title, period) => `${title}, ${period}`,
};
