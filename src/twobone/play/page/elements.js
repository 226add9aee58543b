// Elements of the page, with their types: for what is not there a clear error is thrown.

/**
 * Return the element with an id.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {(new () => T) | null} kind what it must be, an HTMLElement by default
 * @returns {T}
 */
export const byId = (id, kind = null) => {
  const element = document.getElementById(id);
  if (!(element instanceof (kind ?? HTMLElement)))
    throw new TypeError(`the page has no ${(kind ?? HTMLElement).name} #${id}`);
  return /** @type {any} */ (element);
};

/**
 * Return all elements that match a selector.
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export const allOf = (selector) => [...document.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement);

/**
 * Return the nearest element around the target of an event that matches a selector; null if there is none.
 * @param {Event} event
 * @param {string} selector
 */
export const around = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/** Take the focus from the element that has it. */
export const blur = () => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};
