export const en = {
  title: 'Send records to this address',
  orUpload: (uploadCapture: string) => `Or ${uploadCapture} with SIP.`,
  uploadCapture: 'upload a capture',
  firstCall: 'First call',
  connect: 'Connect your first front end',
  callsArrive: 'Calls are coming in',
  latestCall: (call: string, state: string) => `Latest call: ${call} ${state}`,
  waitingForRecord: 'Waiting for the first record …',
  waitingForCall: (frontEnd: string) => `${frontEnd} is sending. Waiting for the first call …`,
  retrying: (error: string) => `${error} Retrying automatically.`,
  watchCalls: 'Watch live calls',
  checkFeeds: 'Check the feeds',
  unknownAddress: (setting: string, placeholder: string) =>
    `The server does not know under which address front ends reach it: the setting ${setting} shows it here. Replace ${placeholder} in the commands.`,
  onlyThisMachine: (setting: string) =>
    `Only programs on this machine reach it. Restart with ${setting}, the addresses of your front ends, to open it for them.`,
  copyAddress: 'Copy the address',
  copy: 'Copy',
  test: 'Test the connection',
  testAbout: 'On the machine of the front end. The response is “200 OK” with a Count. No record is sent yet.',
  send: 'Send the calls of a SIP server',
  sendAbout:
    'Beside Kamailio, OpenSIPS, FreeSWITCH or Asterisk, in the folder of Ringdown. It listens for HEP on port 9060.',
  demo: 'Or try it with sample calls',
  demoAbout: 'On this system’s machine, in the folder of Ringdown, with its DATA_DIR if it has one of its own.',
};
