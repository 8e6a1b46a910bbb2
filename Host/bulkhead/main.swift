print("bulkhead")
