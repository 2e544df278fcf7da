import type { en } from '../en/start.js';

export const de: typeof en = {
  title: 'Datensätze an diese Adresse senden',
  orUpload: (uploadCapture) => `Oder ${uploadCapture}.`,
  uploadCapture: 'einen Mitschnitt mit SIP hochladen',
  firstCall: 'Erster Anruf',
  connect: 'Das erste Frontend anbinden',
  callsArrive: 'Anrufe treffen ein',
  latestCall: (call, state) => `Letzter Anruf: ${call} ${state}`,
  waitingForRecord: 'Warten auf den ersten Datensatz …',
  waitingForCall: (frontEnd) => `${frontEnd} sendet. Warten auf den ersten Anruf …`,
  retrying: (error) => `${error} Es wird automatisch erneut versucht.`,
  watchCalls: 'Laufende Anrufe ansehen',
  checkFeeds: 'Feeds prüfen',
  unknownAddress: (setting, placeholder) =>
    `Der Server weiß nicht, unter welcher Adresse Frontends ihn erreichen: Die Einstellung ${setting} zeigt sie hier an. Ersetzen Sie ${placeholder} in den Befehlen.`,
  onlyThisMachine: (setting) =>
    `Nur Programme auf dieser Maschine erreichen sie. Starten Sie mit ${setting} neu, den Adressen Ihrer Frontends, um sie für diese zu öffnen.`,
  copyAddress: 'Adresse kopieren',
  copy: 'Kopieren',
  test: 'Verbindung testen',
  testAbout:
    'Auf der Maschine des Frontends. Die Antwort ist „200 OK“ mit einem Count. Es wird noch kein Datensatz gesendet.',
  send: 'Anrufe eines SIP-Servers senden',
  sendAbout:
    'Neben Kamailio, OpenSIPS, FreeSWITCH oder Asterisk, im Verzeichnis von Ringdown. HEP wird auf Port 9060 empfangen.',
  demo: 'Oder mit Beispielanrufen ausprobieren',
  demoAbout:
    'Auf der Maschine dieses Systems, im Verzeichnis von Ringdown, mit seinem DATA_DIR, falls es ein eigenes hat.',
};
