// Jest's environment for Node with an ordinary global object. Jest's own puts a proxy in front of it, which V8 asks for each
// use of `Buffer`, `Map`, `Promise`: a sixth of the processor time of the unit tests, a quarter of that of a flood.
import { TestEnvironment } from 'jest-environment-node';
import vm from 'node:vm';

export default class PlainGlobals extends TestEnvironment {
  constructor(...args) {
    const { createContext } = vm;
    // Jest's constructor has no other way to be given a context (jest-environment-node 30, src/index.ts).
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }
}
