#!/usr/bin/env node
// A file that is there before the build, so that npm can make it a command when it installs.
import '../dist/src/main.js';
