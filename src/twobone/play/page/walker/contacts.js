// Contacts: the spans of frames in which feet are on the ground (creature/contacts.py).

/**
 * Return for each frame in which frame the contact that a foot has there began, or -1 if it has none.
 * @param {boolean[]} contact of one foot, frame by frame
 */
export const beginnings = (contact) => {
  let since = -1;
  return contact.map((down, frame) => {
    since = down ? (since < 0 ? frame : since) : -1;
    return since;
  });
};
