import type { en } from '../en/captures.js';
import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('de');

export const de: typeof en = {
  feeds: 'Feeds',
  allFeeds: 'Alle Feeds',
  upload: 'Mitschnitt hochladen',
  formats:
    'Eine pcap- oder pcapng-Datei mit SIP, auch mit gzip oder zstd komprimiert. Ihre Anrufe erscheinen unter einem eigenen Frontend und zählen nicht in Statistiken.',
  file: 'Mitschnittdatei',
  needsReveal: 'Mitschnitte hochladen dürfen nur Personen mit der Rolle „reveal“.',
  frontEnd: 'Name des Frontends',
  frontEndRule: 'Buchstaben, Ziffern, Punkte, Binde- und Unterstriche; zuerst ein Buchstabe oder eine Ziffer',
  frontEndExample: 'Das Ende seines Namens',
  send: 'Hochladen',
  cancel: 'Abbrechen',
  sent: 'Gesendet',
  emptyFile: 'Die Datei ist leer.',
  connectionLost:
    'Die Verbindung ist beim Hochladen abgebrochen. Es wurden keine Daten verarbeitet; laden Sie die Datei erneut hoch.',
  cancelled: 'Hochladen abgebrochen. Es wurden keine Daten verarbeitet.',

  captures: 'Mitschnitte',
  captureCount: (count) => plural(count, { one: '# Mitschnitt', other: '# Mitschnitte' }),
  noCaptures: 'Keine Mitschnitte in den letzten sieben Tagen.',
  captureOf: (frontEnd) => `Mitschnitt von ${frontEnd}`,
  stop: 'Anhalten',
  confirmStop: 'Nicht weiterlesen',
  remove: 'Entfernen',
  confirmRemove: 'Entfernen (Anrufe bleiben)',
  failed: (reason) => `Fehlgeschlagen: ${reason}`,
  failureWithDetail: (words) => words,
  failures: {
    'reader-not-started': 'Der Prozess, der Mitschnitte liest, konnte nicht gestartet werden.',
    'reader-ended':
      'Der Prozess, der Mitschnitte liest, endete vorzeitig; sein Speicher ist begrenzt (CAPTURE_MEMORY_MB).',
    'too-slow': 'Das Lesen dauerte länger als erlaubt (CAPTURE_SECONDS).',
    'no-collector': 'Der Collector war nicht erreichbar.',
    'records-not-accepted': 'Der Collector hat nicht alle Datensätze angenommen.',
    interrupted: 'Das Lesen wurde durch einen Neustart unterbrochen.',
    'not-a-capture': 'Die Datei ist kein Mitschnitt (pcap oder pcapng).',
    'nothing-to-send': 'Der Mitschnitt enthält keine Anrufe.',
    'unreadable-packets': 'Beschädigte Pakete konnten nicht gelesen werden.',
    'unsupported-packets': 'Pakete dieser Art werden nicht gelesen.',
  },
  reasons: {
    cut: 'abgeschnitten',
    'unknown call': 'zu keinem bekannten Anruf',
    'unknown dialog': 'zu keinem bekannten Dialog',
    'Call-ID used again': 'mit wiederverwendeter Call-ID',
    'no evidence': 'ohne Hinweis auf den Anruf',
    'contradicting evidence': 'mit widersprüchlichen Hinweisen',
    'unknown medium': 'zu keinem bekannten Medium',
    'unknown stream': 'zu keinem bekannten Stream',
    'impossible value': 'mit unmöglichem Wert',
    unreadable: 'nicht lesbar',
    'after the call': 'nach dem Anruf',
    'single packets': 'einzelne Pakete',
    'too many streams': 'wegen zu vieler Streams',
  },
  read: 'Gelesen',
  reading: (packets, records) => `Wird gelesen: ${packets}, ${records}`,
  done: (packets, records, calls) => `Gelesen: ${packets}, ${records}, ${calls}`,
  packets: (count) => plural(count, { one: '# Paket', other: '# Pakete' }),
  records: (count) => plural(count, { one: '# Datensatz', other: '# Datensätze' }),
  calls: (count) => plural(count, { one: '# Anruf', other: '# Anrufe' }),
  uncountedReports: (reasons) => `Qualitätsberichte, die für keinen Stream zählen: ${reasons}`,
  unplacedMessages: (reasons) => `SIP-Nachrichten, die zu keinem Anruf passen: ${reasons}`,
  uncountedRtp: (reasons) => `RTP-Pakete, die für keinen Anruf zählen: ${reasons}`,
  succeededRegistrations: (count) =>
    plural(count, { one: '# Registrierung wurde angenommen.', other: '# Registrierungen wurden angenommen.' }),
  failedRequests: (count) =>
    plural(count, {
      one: '# Anfrage außerhalb von Anrufen fehlgeschlagen',
      other: '# Anfragen außerhalb von Anrufen fehlgeschlagen',
    }),
  failedRequest: (count, request, status, peer) => `${count} × ${request} ${status}, ${peer}`,
  requestWithoutResponse: (count, request, peer) => `${count} × ${request} ohne Antwort, ${peer}`,
  allCallsOf: (frontEnd) => `Alle Anrufe von ${frontEnd}`,
  firstOfCapture: (allCalls, count) => `${allCalls}; die ersten ${count} dieses Mitschnitts:`,
  notShown: (count) =>
    plural(count, {
      one: '# Anruf nicht angezeigt: Die Version der Datensätze kann ihn nicht darstellen.',
      other: '# Anrufe nicht angezeigt: Die Version der Datensätze kann sie nicht darstellen.',
    }),
};
