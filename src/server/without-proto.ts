// Takes `__proto__` away from all objects of a process; imported before anything else.
// A tag of that name would lead a library that keeps texts in a plain object to the prototype of every object.

Reflect.deleteProperty(Object.prototype, '__proto__');
