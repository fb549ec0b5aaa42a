// The page's half of contextBridge. Runs before any script of the page; all it needs later is captured here, so that a
// page which patches built-ins afterwards sees neither the secret nor a message. Values cross worlds as the `detail` of
// an event with a secret name, which the browser clones; functions cross by id.
(function installBridge(secret) {
  if (window !== window.top) return;
  const { apply, ownKeys } = Reflect;
  const { freeze, defineProperty, getPrototypeOf, prototype: objectPrototype } = Object;
  const { isArray } = Array;
  const PageEvent = CustomEvent;
  const PagePromise = Promise;
  const PageTypeError = TypeError;
  const PageError = Error;
  const { addEventListener, dispatchEvent } = EventTarget.prototype;
  const { get: detailOf } = Object.getOwnPropertyDescriptor(PageEvent.prototype, 'detail');
  const callbacks = { __proto__: null };
  const promises = { __proto__: null };
  let lastId = 0;
  let reply;

  const post = (detail) => apply(dispatchEvent, document, [new PageEvent(`${secret}p`, { detail })]);
  const released = new FinalizationRegistry((id) => post({ t: 'release', id }));

  const isPlain = (value) => {
    const prototype = getPrototypeOf(value);
    return prototype === objectPrototype || prototype === null;
  };
  const someOf = (list, test) => {
    for (let i = 0; i < list.length; i++) if (test(list[i])) return true;
    return false;
  };
  const mapOf = (list, change) => {
    const result = [];
    for (let i = 0; i < list.length; i++)
      defineProperty(result, i, { value: change(list[i]), enumerable: true, writable: true, configurable: true });
    return result;
  };
  const holdsFunction = (value) => {
    if (typeof value === 'function') return true;
    if (typeof value !== 'object' || value === null) return false;
    if (isArray(value)) return someOf(value, holdsFunction);
    return isPlain(value) && someOf(ownKeys(value), (key) => holdsFunction(value[key]));
  };

  // ['v', cloneable] | ['f', id] | ['a', [...]] | ['o', [[key, ...]]] | ['p', id]
  const encode = (value) => {
    if (!holdsFunction(value)) return ['v', value];
    if (typeof value === 'function') {
      const id = ++lastId;
      callbacks[id] = value;
      return ['f', id];
    }
    if (isArray(value)) return ['a', mapOf(value, encode)];
    return ['o', mapOf(ownKeys(value), (key) => [typeof key === 'string' ? key : '', encode(value[key])])];
  };
  const decode = (encoded) => {
    const tag = encoded[0];
    const value = encoded[1];
    if (tag === 'v') return value;
    if (tag === 'a') return mapOf(value, decode);
    if (tag === 'p') {
      return new PagePromise((resolve, reject) => {
        promises[value] = { resolve, reject };
      });
    }
    if (tag === 'o') {
      const object = {};
      for (let i = 0; i < value.length; i++)
        defineProperty(object, value[i][0], { value: decode(value[i][1]), enumerable: true });
      return freeze(object);
    }
    const proxy = (...args) => {
      reply = undefined;
      post({ t: 'call', id: value, args: mapOf(args, encode) });
      const answer = reply;
      reply = undefined;
      if (!answer) throw new PageTypeError('An argument cannot be cloned, or the bridge is gone');
      if (answer.error) throw new PageError(answer.error);
      return decode(answer.value);
    };
    released.register(proxy, value);
    return freeze(proxy);
  };

  apply(addEventListener, document, [
    `${secret}m`,
    (event) => {
      const message = apply(detailOf, event, []);
      if (!message) return;
      if (message.t === 'ret') {
        reply = message;
      } else if (message.t === 'cb') {
        callbacks[message.id]?.(...mapOf(message.args, decode));
      } else if (message.t === 'drop') {
        delete callbacks[message.id];
      } else if (message.t === 'settle') {
        const waiting = promises[message.id];
        delete promises[message.id];
        if (message.error) waiting?.reject(new PageError(message.error));
        else waiting?.resolve(decode(message.value));
      } else if (message.t === 'expose') {
        defineProperty(window, message.key, {
          value: decode(message.value),
          enumerable: true,
          writable: false,
          configurable: false,
        });
      }
    },
  ]);
})(__SECRET__);
