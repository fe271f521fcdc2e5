// The kernels of a text.
#pragma once

#include <atomic>
#include <string>

// Finds the kernels of a text by their names, and adds what makes them known to the driver. False if a name is not
// found.
bool add_entries(const std::string &text, std::string &whole);
