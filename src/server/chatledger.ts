#!/usr/bin/env node
const x: string = process.version; console.log("hi", x, process.argv.slice(2));
