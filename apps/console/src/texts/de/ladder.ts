import type { en } from '../en/ladder.js';
import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('de');

export const de: typeof en = {
  callFlow: 'Ablauf des Anrufs',
  ladder: 'Ablaufdiagramm',
  shown: 'Im Ablauf angezeigt',
  kinds: { request: 'Anfragen', response: 'Antworten', rtcp: 'RTCP', event: 'Datensätze', report: 'Berichte' },
  relatedCalls: 'Zugehörige Anrufe',
  relatedCall: 'zugehöriger Anruf',
  late: 'verspätet',
  otherAddresses: 'andere Adressen',
  downloadPcap: 'pcap herunterladen',
  downloadText: 'Text herunterladen',
  notLoaded: (problem) => `Die SIP-Nachrichten konnten nicht geladen werden: ${problem}`,
  tryAgain: 'Erneut versuchen',
  interrupted: 'Live-Aktualisierung unterbrochen, Verbindung wird wiederhergestellt …',
  noMessages: (trace, days) =>
    `Von diesem Anruf sind keine SIP-Nachrichten gespeichert. Um sie hier zu sehen, setzen Sie ${trace} für den Sender; Nachrichten werden so lange aufbewahrt, wie ${days} im Dienst Aggregator erlaubt.`,
  firstMessages: (count) =>
    plural(count, {
      one: 'Nur die erste Nachricht wird angezeigt.',
      other: 'Nur die ersten # Nachrichten werden angezeigt.',
    }),
  firstRecords: (count) =>
    plural(count, {
      one: 'Nur der erste Datensatz wird angezeigt.',
      other: 'Nur die ersten # Datensätze werden angezeigt.',
    }),
  relatedNotLoaded: (problem) => `Datensätze verknüpfter Anrufe konnten nicht geladen werden: ${problem}`,
  firstRelated: (count) =>
    plural(count, {
      one: 'Nur Datensätze des ersten verknüpften Anrufs werden angezeigt.',
      other: 'Nur Datensätze der ersten # verknüpften Anrufe werden angezeigt.',
    }),
  keys: (down, up, enter, escape) => `${down} ${up} vor und zurück, ${enter} öffnet, ${escape} schließt`,

  noAudio: {
    oneWay: (speaker) => `ab hier kein Ton von ${speaker}`,
    silent: 'ab hier kein Ton in beiden Richtungen',
  },
  again: (message) => `${message} (wiederholt)`,
  emptyMessage: 'leere Nachricht',
  headerOnly: 'nur Kopf',
  rtcpTypes: {
    200: 'RTCP Sender Report',
    201: 'RTCP Receiver Report',
    202: 'RTCP Source Description',
    203: 'RTCP Goodbye',
    207: 'RTCP Extended Report',
  },
  rtcpPacket: 'RTCP-Paket',
  events: {
    invite: 'lädt ein',
    lrsInvite: 'lädt den Raum ein',
    startOrUpdate: 'sendet',
    start: 'sendet',
    update: 'ändert',
    ended: 'beendet',
    bye: 'legt auf',
    error: 'Fehler',
    qualityUpdate: 'Abschlussbericht',
    inCallQuality: 'Zwischenbericht',
  },
  values: { mos: 'MOS', loss: 'Verlust', jitter: 'Jitter', roundTrip: 'Round-Trip' },

  record: 'Datensatz',
  fact: 'Zum Anruf',
  message: 'Nachricht',
  copy: 'Kopieren',
  close: 'Schließen',
  time: 'Zeit',
  call: 'Anruf',
  from: 'Von',
  to: 'Zu',
  capturedBy: 'Mitgeschnitten von',
  frontEnd: 'Frontend',
  received: 'Empfangen',
  withoutTime: '(der Datensatz hat keine eigene Zeit)',
  afterEnd: '(nachdem der Anruf vollständig war)',
  unknown: 'unbekannt',
  rtcpAdvice: 'Ein RTCP-Paket. Laden Sie das pcap herunter, um es mit Wireshark zu lesen.',

  description: 'Sitzungsbeschreibung (SDP)',
  media: 'Medien',
  rejected: 'abgelehnt',
  candidates: (count) => `ICE-Kandidaten: ${count}`,
  lines: 'Zeilen der Sitzungsbeschreibung',
  same: 'Gleich wie die vorige Beschreibung',
  compared: 'Verglichen mit der vorigen Beschreibung',
};
