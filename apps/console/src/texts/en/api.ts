export const en = {
  notResponding: 'The server is not responding.',
  respondedWith: (status: string) => `The server responded with ${status}.`,
  streamClosed: 'The server closed the stream.',
};
